package snapshot

import (
	"path/filepath"
	"slices"
	"strings"

	"pi/internal/environ"
	"pi/internal/shell"
)

// coreNames are the commands, builtins and keywords whose meaning must not change: a caller that says `rm f` or `ls` means the
// tool, not `rm -i` or another program. Aliases and functions of these names are left out.
const coreNames = ` ! . : [ [[ ]] { } alias autoload awk base64 basename bash bg bind break builtin bzip2 caller case cat cd chdir chgrp chmod
 chown cksum clear cmp comm command compgen complete continue coproc cp csplit cut dash date dd declare df diff dir dirname dirs
 disable disown do done du echo egrep elif else emulate enable env esac eval exec exit expand export expr false fc fg fgrep fi
 file find float fmt fold for foreach function getconf getopts grep groups gunzip gzip hash head help history hostname id if in
 install integer jobs join kill less let link ln local locate logname logout ls make mapfile md5sum mkdir mkfifo mknod mktemp
 more mv nice nl nohup noglob nocorrect nproc od paste patch pgrep pkill popd print printenv printf ps pushd pwd
 read readarray readlink readonly realpath rehash repeat return rg rm rmdir sed select seq set setopt sh sha1sum sha256sum
 shift shopt shuf sleep sort source split stat strings suspend sum sync tac tail tar tee test then time timeout times touch tr
 trap true truncate tsort tty type typeset ulimit umask unalias uname unexpand unfunction uniq unlink unset unsetopt until unxz
 unzip vdir wait wc wget whence where which while who whoami xargs xz yes zip zmodload zsh `

// hookNames are functions that shells call by themselves; what they do for a person at a prompt would affect commands.
const hookNames = ` command_not_found_handle command_not_found_handler chpwd precmd preexec periodic zshaddhistory zshexit prompt_command `

// set returns the set of the words of a list.
func set(list string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}

// filter leaves out what must not or need not be in a snapshot. had is the environment that the shell started with.
func (t dumped) filter(had []string, d *shell.SnapshotDialect) taken {
	var r taken
	core := set(coreNames + d.CoreNames)
	for _, a := range t.aliases {
		if core[a.name] {
			r.leftOut++
		} else {
			r.aliases = append(r.aliases, a)
		}
	}
	slices.SortFunc(r.aliases, func(a, b alias) int { return strings.Compare(a.name, b.name) })
	r.functions = t.useful(r.aliases, core, d.HookPrefix)
	r.leftOut += len(t.functions) - len(r.functions)
	r.sources = sources(r.functions)
	agent, shells := false, set(shellVariables+d.Variables)
	for _, kv := range t.vars {
		n, v, _ := strings.Cut(kv, "=")
		was, ok := environ.Lookup(had, n)
		if ok && was == v {
			continue
		}
		agent = agent || n == "SSH_AGENT_PID"
		if !portableName(n) || strings.IndexByte(v, 0) >= 0 || belongsToShell(n) || shells[n] {
			continue
		}
		if secret(n, v) || len(kv) > maxVariable {
			r.leftOut++
			continue
		}
		r.env = append(r.env, kv)
	}
	r.env = dropStale(r.env, had, agent)
	return r
}

// useful returns the functions worth keeping: no core names, no hooks, and of those whose names begin with an underscore, which
// completions define by the thousand, only the ones that a kept alias or function mentions.
func (t dumped) useful(aliases []alias, core map[string]bool, hookPrefix string) []function {
	hooks := set(hookNames)
	private := make(map[string]int)
	keep := make([]bool, len(t.functions))
	var texts []string // still to be searched
	for i, f := range t.functions {
		switch {
		case f.text == "" || core[f.name] || hooks[f.name] || strings.HasPrefix(f.name, "TRAP") || strings.HasPrefix(f.name, "zle-"):
		case hookPrefix != "" && strings.HasPrefix(f.name, hookPrefix):
		case strings.HasPrefix(f.name, "_"):
			private[f.name] = i
		case completes(f):
		default:
			keep[i] = true
			texts = append(texts, f.text)
		}
	}
	for _, a := range aliases {
		texts = append(texts, a.value)
	}
	for len(texts) > 0 && len(private) > 0 {
		text := texts[len(texts)-1]
		texts = texts[:len(texts)-1]
		for _, w := range privateWords(text) {
			if i, ok := private[w]; ok {
				keep[i] = true
				delete(private, w)
				texts = append(texts, t.functions[i].text)
			}
		}
	}
	var list []function
	for i, f := range t.functions {
		if keep[i] {
			list = append(list, f)
		}
	}
	slices.SortFunc(list, func(a, b function) int { return strings.Compare(a.name, b.name) })
	return list
}

// completes reports whether a function came with a completion, by the file that defined it or by the variable it sets.
func completes(f function) bool {
	return strings.Contains(f.source, "bash-completion") || strings.Contains(f.source, "bash_completion") ||
		strings.Contains(f.text, "COMPREPLY")
}

// privateWords returns the words of a text that begin with an underscore, as the name of a called function may.
func privateWords(text string) (words []string) {
	for i := 0; i < len(text); i++ {
		if text[i] != '_' || i > 0 && nameByte(text[i-1]) {
			continue
		}
		j := i
		for j < len(text) && nameByte(text[j]) {
			j++
		}
		words = append(words, text[i:j])
		i = j
	}
	return words
}

func nameByte(c byte) bool {
	return c == '_' || c == '-' || c == '.' || c == ':' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}

// sources returns the files that functions came from; a change in one of them invalidates the snapshot.
func sources(list []function) (files []string) {
	seen := make(map[string]bool)
	for _, f := range list {
		s := f.source
		if seen[s] || !filepath.IsAbs(s) || strings.HasPrefix(s, "/dev/") || strings.HasPrefix(s, "/proc/") || len(files) >= maxSources {
			continue
		}
		seen[s] = true
		files = append(files, s)
	}
	slices.Sort(files)
	return files
}

func portableName(n string) bool {
	for i := range len(n) {
		c := n[i]
		if !(c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || i > 0 && c >= '0' && c <= '9') {
			return false
		}
	}
	return n != ""
}

// shellVariables describe the shell or where it ran, not the user's wishes.
const shellVariables = ` _ LOGNAME PWD OLDPWD SHLVL TERM COLUMNS LINES PS0 PS1 PS2 PS3 PS4 IFS BASH_ENV ENV SHELLOPTS BASHOPTS POSIXLY_CORRECT
 ZDOTDIR SSH_AGENT_PID GPG_TTY TTY WINDOWID SECONDS RANDOM `

// belongsToShell reports whether n belongs to one of the families of such variables.
func belongsToShell(n string) bool {
	for _, p := range [...]string{"__pi_", "PI_", "HIST", "BASH_FUNC_", "BASH_EXECUTION", "PROMPT", "RPROMPT"} {
		if strings.HasPrefix(n, p) {
			return true
		}
	}
	return false
}

// secret reports by name and value whether a variable must not be written to a disk.
func secret(name, value string) bool {
	n := strings.ToUpper(name)
	for _, s := range [...]string{"TOKEN", "SECRET", "PASSW", "PASSPHRASE", "CREDENTIAL", "KEY", "PRIVATE", "COOKIE", "SIGNATURE"} {
		if strings.Contains(n, s) {
			return true
		}
	}
	if strings.HasSuffix(n, "_PAT") || strings.HasSuffix(n, "_PASS") || n == "PASS" || strings.HasSuffix(n, "_AUTH") || n == "AUTH" || strings.HasSuffix(n, "_DSN") {
		return true
	}
	for _, p := range [...]string{"ghp_", "gho_", "github_pat_", "glpat-", "sk-", "xoxb-", "xoxp-", "AKIA", "eyJhbGci", "-----BEGIN"} {
		if strings.HasPrefix(value, p) {
			return true
		}
	}
	_, rest, url := strings.Cut(value, "://") // a password in an address: scheme://user:password@host
	if !url {
		return false
	}
	authority, _, _ := strings.Cut(rest, "/")
	at := strings.LastIndexByte(authority, '@')
	return at >= 0 && strings.Contains(authority[:at], ":")
}

// dropStale removes variables that are wrong in another process. An ssh-agent that the rc files started was killed with them, so
// its socket is dead. A search path without a new directory is the host's in another order: the host's stays, because whoever
// started pi may have put a virtual environment first.
func dropStale(env, had []string, agent bool) []string {
	if agent {
		env = slices.DeleteFunc(env, func(kv string) bool { return environ.Name(kv) == "SSH_AUTH_SOCK" })
	}
	env = slices.DeleteFunc(env, func(kv string) bool {
		path, ok := strings.CutPrefix(kv, "PATH=")
		return ok && !addsDirectory(path, environ.Get(had, "PATH"))
	})
	slices.Sort(env)
	return env
}

func addsDirectory(path, had string) bool {
	old := filepath.SplitList(had)
	return slices.ContainsFunc(filepath.SplitList(path), func(d string) bool { return !slices.Contains(old, d) })
}
