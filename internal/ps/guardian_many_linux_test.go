package ps

import "testing"

// A long-lived pi sends a guardian away after each long run. That must never use up its patience with guardians.
func TestGuardiansComeAndGo(t *testing.T) {
	for i := range 2*maxGuardians + 1 {
		tree := start(t, "sleep 1000")
		eventually(t, "guarded", func() bool {
			tree.mu.Lock()
			defer tree.mu.Unlock()
			return tree.armed || len(tree.warnings) > 0
		})
		if w := tree.Warnings(); len(w) > 0 {
			t.Fatalf("run %d: %v", i, w)
		}
		tree.End(0, nil)
	}
}
