package ps

import "time"

// Every wait of this package, with its reason. A call with a grace of two seconds is back within three.
const (
	// killLimit bounds the SIGKILL phase, counted from the last change in it. A killed process is gone within a
	// millisecond unless the kernel holds it (disk sleep); only on an overloaded machine does nothing change for long.
	killLimit = 800 * time.Millisecond

	// killMost is how long the SIGKILL phase may take while it still gets somewhere: on two overloaded cores the death
	// of 2,000 processes took five seconds, and late is better than survivors.
	killMost = 15 * time.Second

	// firstPause and lastPause frame the back-off between two looks at a tree: most processes die within a
	// millisecond of SIGTERM, and nobody notices 20 ms more of a process that takes its time.
	firstPause = time.Millisecond
	lastPause  = 20 * time.Millisecond

	// scanShare keeps looking cheap on machines with very many processes: a pause is at least this many times as
	// long as the look before it took.
	scanShare = 3

	// freezeMost bounds the looks for newcomers while a tree is stopped; what still forks after that is found later.
	freezeMost = 20

	// watchedMost is of how many processes the death ends a pause early, and restStep how often a pause looks whether
	// it is wanted to end otherwise.
	watchedMost = 256
	restStep    = 5 * time.Millisecond

	// leaderLimit bounds the wait for a leader to be reaped once its tree is gone.
	leaderLimit = 200 * time.Millisecond

	// guardianDelay is how long a tree lives before a guardian is started: most commands are over by then and pay
	// nothing, and the leader itself dies with pi from the start (PR_SET_PDEATHSIG).
	guardianDelay = 100 * time.Millisecond

	// guardianFirst and guardianLast frame the guardian's back-off between two looks at pi's descendants. Young
	// commands fork most; a process that is born and hides itself between two looks is still found by its marker.
	guardianFirst = 50 * time.Millisecond
	guardianLast  = time.Second

	// guardianShare keeps the guardian at three per cent of a core, however large the tree; but on a busy machine,
	// where a look takes long for other reasons, guardianMost bounds the pause.
	guardianShare = 30
	guardianMost  = 5 * time.Second

	// guardianGrace is the guardian's time between SIGTERM and SIGKILL. Together with killLimit everything is gone
	// within 2.6 s of pi's death.
	guardianGrace = 1800 * time.Millisecond

	// maxGuardians bounds how often a guardian that somebody killed is replaced.
	maxGuardians = 5

	// maxIntroduction bounds, in bytes, the list of members a guardian starts with: it has to fit into a pipe.
	maxIntroduction = 32 << 10

	// exitTries is how often, a millisecond apart, a process in the middle of its exit is looked at again before it is
	// taken for one whose first thread has ended while others go on.
	exitTries = 20

	// tellTries bounds a message to the guardian, a try a millisecond: it only takes time if somebody stopped that.
	tellTries = 50

	// reaperPause is how often a long-lived pi reaps orphans that died after they came back to it; reaperBusyPause
	// is used while they come by the hundred.
	reaperPause     = time.Second
	reaperBusyPause = 100 * time.Millisecond
	reaperMany      = 100
)
