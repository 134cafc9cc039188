package keys_test

import (
	"fmt"

	"pi/internal/keys"
)

func ExampleParse() {
	for _, s := range []string{"\x03", "\x1b[1;5A", "\x1b[1089::99;5u", "\x1b[99z"} {
		id, ok := keys.Parse([]byte(s), false)
		fmt.Printf("%q %v\n", id, ok)
	}
	// Output:
	// "ctrl+c" true
	// "ctrl+up" true
	// "ctrl+c" true
	// "" false
}

func ExampleMatches() {
	fmt.Println(keys.Matches([]byte("\t"), "tab", false), keys.Matches([]byte("\t"), "CTRL+i", false))
	// Output: true true
}

// A program feeds what it reads, and when Wait has passed without more, calls Expire.
func ExampleReader() {
	r := keys.NewReader(keys.Options{})
	show := func() {
		for {
			e, ok := r.Next()
			if !ok {
				return
			}
			fmt.Printf("%v %q %q\n", e.Kind, e.Raw, e.ID)
		}
	}
	r.Feed([]byte("hi\x1b[1;"))
	show()
	r.Feed([]byte("5A\x1b"))
	show()
	wait, pending := r.Wait()
	fmt.Println(wait, pending)
	r.Expire()
	show()
	// Output:
	// text "hi" ""
	// key "\x1b[1;5A" "ctrl+up"
	// 50ms true
	// key "\x1b" "escape"
}
