package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// session is one recording.
type session struct {
	name    string
	command string // for bash -c
	env     []string
	steps   []step
}

// step waits for a pattern on the screen and for quiet; that screen is compared later. Then it presses keys.
type step struct{ wait, keys string }

var sessions = []session{
	{name: "vim", command: "vim --clean -c 'syntax on' -c 'set number' demo.go", steps: []step{
		{"package main", "/func\r"}, {"func", "o\t// inserted: für 日本\x1b"}, {"inserted", ":split\r"}, {"demo.go.*(?s).*demo.go", "\x06\x06dd:vsplit\r"}, {"demo", ":help\r"}, {"help", ":qa!\r"}, {"", ""}}},
	{name: "less", command: "less -N long.txt", steps: []step{
		{"line 1\n", " "}, {"line 24", "/line 77\r"}, {"line 77", "G"}, {"END", "b"}, {"line", "kkk"}, {"line", "-S\r"}, {"line", "q"}, {"", ""}}},
	{name: "htop", command: "htop -d 100", steps: []step{{"PID", "\x1b[B\x1b[B"}, {"PID", "\x1bOR"}, {"Search", "sh\x1b"}, {"PID", "t"}, {"PID", "\x1bOQ"}, {"Setup|Categories", "\x1b[B\x1b[C"}, {"Categories|Setup", ""}}},
	{name: "top", command: "top -d 30", steps: []step{{"PID", "c"}, {"PID", "1"}, {"PID", "m"}, {"PID", "h"}, {"Help", "q"}, {"PID", "z"}, {"PID", ""}}},
	{name: "nano", command: "nano demo.go", steps: []step{{"package", "hello "}, {"hello", "\x17func\r"}, {"func", "\x1b[6~\x1b[6~"}, {"", "\x07"}, {"help|Help", "\x18"}, {"", "\x18"}, {"Save|save", ""}}},
	{name: "mc", command: "mc -d files", steps: []step{{"Menu", "\x1b[B\x1b[B"}, {"Menu", "\x1b[20~"}, {"Left", "\x1b[B\x1b[B"}, {"Menu|Left", "\x1b\x1b"}, {"Menu", "\t\x1b[B\x1b[13~"}, {"", ""}}},
	{name: "fish", command: "fish --private", steps: []step{{"[>#] ?", "echo hello wor"}, {"hello", "ld\r"}, {"hello world\n", "ls fil\t\t"}, {"fil", "\x03"}, {"[>#]", "for i in 1 2 3\recho $i\rend\r"}, {"3", "echo 'a long line that wraps at the right edge of the terminal, since it has more than eighty columns'"}, {"columns", "\r"}, {"columns", "ec"}, {"ec", "\x1b[A"}, {"", ""}}},
	{name: "zsh", command: "zsh -f", steps: []step{{"[%#]", "autoload -Uz compinit && compinit -u; PROMPT='%F{green}%n%f %~ %# ' RPROMPT='%F{red}right%f'; zstyle ':completion:*' menu select\r"}, {"right", "ls files/f\t\t"}, {"file", "\t\t"}, {"file", "\r"}, {"", "\x15print -P '%B%F{blue}bold%f%b 日本' 'no newline\\c'\r"}, {"no newline", "printf 'no end'\r"}, {"no end", "echo one two three\x01\x1bf\x1bd"}, {"one", ""}}},
	{name: "git-log", command: "git -C repo log --graph --all --color --decorate --stat", steps: []step{{"commit", " "}, {"", "j j j"}, {"", "G"}, {"END", "?merge\r"}, {"", ""}}},
	{name: "git-diff", command: "git -C repo -c color.ui=always diff HEAD~3 | less -R", steps: []step{{"diff", " "}, {"", "G"}, {"END", "g"}, {"diff", ""}}},
	{name: "man", command: "man bash || man less", steps: []step{{"NAME", " "}, {"", "/SHELL\r"}, {"SHELL", "50%"}, {"", "G"}, {"", "h"}, {"SUMMARY|LESS", ""}}},
	{name: "dialog", env: []string{"NCURSES_NO_UTF8_ACS=1"}, command: "dialog --title Options --checklist 'Pick some' 15 50 5 1 apples on 2 pears off 3 'für 日本' off; dialog --menu Menu 12 40 4 a first b second c third; for i in 10 40 70 100; do echo $i; sleep 0.1; done | dialog --title Wait --gauge 'Working' 8 50; dialog --calendar Date 0 0 24 12 2026; dialog --inputbox Name 8 40", steps: []step{
		{"apples", "\x1bOB \x1bOB "}, {"apples", "\r"}, {"second", "\x1bOB"}, {"second", "\r"}, {"2026", "\x1bOC\x1bOB"}, {"2026", "\r"}, {"Name", "typed text\x7f\x7f"}, {"typed", ""}}},
	{name: "apt", command: "apt-get install -y --reinstall -o Dpkg::Progress-Fancy=1 -o APT::Color=1 dialog nano; echo done", env: []string{"DEBIAN_FRONTEND=noninteractive"}, steps: []step{{"done", ""}}},
	{name: "npm", command: "mkdir -p npm && cd npm && npm install --cache ../npmcache is-odd left-pad; npm ls; echo done", steps: []step{{"(?m)^done", ""}}},
	{name: "cargo", command: "cd crate && cargo build --color always; cargo run --color always; echo done", env: []string{"CARGO_TERM_PROGRESS_WHEN=always", "CARGO_TERM_PROGRESS_WIDTH=80", "RUSTUP_HOME=/root/.rustup", "CARGO_HOME=/root/.cargo", "CARGO_NET_OFFLINE=true"}, steps: []step{{"(?m)^done", ""}}},
	{name: "progress", command: `for i in $(seq 0 5 100); do printf '\r\033[K\033[1;32m   Compiling\033[0m [%-20s] %3d%% %d/100: crate-%d' "$(printf '%*s' $((i/5)) '' | tr ' ' '=')" $i $i $i; [ $((i%25)) = 0 ] && printf '\r\033[K\033[32m      Done\033[0m part %d\n' $i; sleep 0.02; done; printf '\r\033[K'; for i in 1 2 3; do echo "task $i: waiting"; done; for s in 1 2 3; do for i in 1 2 3; do printf '\033[3A\033[%dB\r\033[2Ktask %d: step %d\033[%dB\r' $((i-1)) $i $s $((4-i)); sleep 0.02; done; done; echo finished`, steps: []step{{"finished", ""}}},
	{name: "text", command: "cat unicode.txt", steps: []step{{"the end", ""}}},
	{name: "ls", command: "ls -lR --color=always files repo; echo done", steps: []step{{"(?m)^done", ""}}},
	{name: "bash", command: `PS1="\[\e[1;32m\]demo\[\e[0m\]:\w\$ " exec bash --norc -i`, steps: []step{{`\$`, "echo a line that is rather long, so that readline has to wrap it onto the second row of the terminal"}, {"terminal", "\x01\x1bfX\x05"}, {"aX|echoX", "\r"}, {"not found", "ls files/\t\t"}, {"", "\x15\x12rather"}, {"reverse", "\x07"}, {"", "for i in 1 2; do echo $i; done\r"}, {"", "clear\r"}, {"", "printf '\\e[5;10Hthere\\n'\r"}, {"there", ""}}},
	{name: "tmux", command: "tmux -L pi-record -f /dev/null -u new-session -x 80 -y 24 'exec sh' ; true", steps: []step{{`#`, "\x02%"}, {`#.*#`, "\x02\""}, {`#`, "seq 30\r"}, {"30", "\x02o"}, {"", "ls --color -C /etc | head -50\r"}, {"", "\x02["}, {"", "\x1b[5~"}, {"", "q"}, {"", "\x02z"}, {"", "\x02w"}, {"", "q\x02:kill-server\r"}, {"", ""}}},
	{name: "watch", command: "watch -n 60 -c 'ls -l --color=always files; date -u -d @0'", steps: []step{{"1970", ""}}},
	{name: "python", command: "python3 -q", steps: []step{{">>>", "print('\\033[44mblue\\033[0m für', [x*x for x in range(40)])\r"}, {"1521", "import this\r"}, {"Namespaces", "for i in range(3):\r    print(i)\r\r"}, {"2\n", "help(str.split)\r"}, {"split", "q"}, {">>>", ""}}},
	{name: "vttest", command: "vttest", steps: []step{{"Enter choice", "1\r"}, {"", "\r"}, {"", "\r"}, {"", "\r"}, {"", "\r"}, {"", "\r"}, {"", "\r"}, {"", "\r"}, {"", "\r"}, {"", "2\r"}, {"", "\r"}, {"", "\r"}, {"", "\r"}, {"", "\r"}, {"", "\r"}, {"", "\r"}, {"", "\r"}, {"", "\r"}, {"", "\r"}, {"", "\r"}, {"", "\r"}, {"", "\r"}, {"", "\r"}, {"", "\r"}, {"", "\r"}, {"", ""}}},
	{name: "vttest-vt102", command: "vttest", steps: []step{{"Enter choice", "8\r"}, {"", "\r"}, {"", "\r"}, {"", "\r"}, {"", "\r"}, {"", "\r"}, {"", "\r"}, {"", "\r"}, {"", "\r"}, {"", "\r"}, {"", "\r"}, {"", "\r"}, {"", "\r"}, {"", "\r"}, {"", "\r"}, {"", ""}}},
}

// prepare creates the files that the programs look at.
func prepare(dir string) error {
	write := func(name, text string) {
		os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755)
		os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644)
	}
	var long, code strings.Builder
	for i := range 300 {
		fmt.Fprintf(&long, "line %d %s\n", i+1, strings.Repeat("and some words ", i%9))
	}
	code.WriteString("package main\n\nimport \"fmt\"\n\n")
	for i := range 60 {
		fmt.Fprintf(&code, "// f%d prints für and 日本語.\nfunc f%d() {\n\tfmt.Println(\"%d\", %q)\n}\n\n", i, i, i, "é\t")
	}
	write("long.txt", long.String())
	write("demo.go", code.String())
	write("unicode.txt", unicodeText)
	write("crate/Cargo.toml", "[package]\nname = \"crate\"\nversion = \"0.1.0\"\nedition = \"2021\"\n")
	write("crate/src/main.rs", "fn unused() {}\nfn main() { let x = 5; println!(\"hello\"); }\n")
	for i := range 12 {
		write(fmt.Sprintf("files/file%02d.txt", i), strings.Repeat("x", i*100))
		write(fmt.Sprintf("files/dir%d/empty", i%3), "")
	}
	cmd := exec.Command("bash", "-ec", gitScript)
	cmd.Dir, cmd.Env = dir, environment(dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git: %w: %s", err, out)
	}
	return nil
}

const gitScript = `mkdir repo; cd repo; git init -q -b main
for i in 1 2 3 4 5 6; do
  for j in 1 2 3; do echo "line $i $j für 日本" >> file$((i%3)); done
  git add .; git commit -qm "commit $i: change of file$((i%3))"
  git checkout -q -b branch$i; echo "branch $i" > branch$i; git add .; git commit -qm "branch $i"
  git checkout -q main; [ $((i%2)) = 0 ] || git merge -q --no-ff -m "merge branch$i" branch$i
done`

const unicodeText = `ASCII text, then others.
日本語のテキスト、全角文字。 中文字符 한국어 텍스트
Ω≈ç√∫˜µ≤≥÷ åäö ÅÄÖ ñ Ñ ß ẞ Ελληνικά Русский
combining: e` + "\u0301 a\u0308 n\u0303 o\u0302\u0323" + `
emoji: 😀 🎉 🚀 🍕 👋 ☕ ⌛ ✨ ✅ ❌
box: ┌──┬──┐ │ ╔══╦══╗ ▀▄█▌▐░▒▓
arrows: ← ↑ → ↓ ⇐ ⇒ ● ○ ■ □ ★ ☆
full width: ＡＢＣ １２３ half: ｱｲｳ
日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語
x日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語
thai: สวัสดี hebrew: שלום arabic: مرحبا
the end
`
