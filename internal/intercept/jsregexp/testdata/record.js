// Records the results of JavaScript's RegExp: node record.js > javascript.json
const texts = ["", "a", "b", "ab", "aa", "abc", "A", "cat f", "grep -r x .", "a\nb", "a\n", "\n", "a\rb", "a\u2028b",
  "é", "É", "ß", "\u00a0", "\u3000", "\ufeff", "\u0085", "x\u0301", "1", "٣", "_", "-", "]", "[", "{", "}", "a{1}", "a{,2}", "a-b", "\\", "\\c",
  "/", "\b", "\x01", "\x00", "\t", "\v", "S", "(", "k", "k<n>", "p{L}", "u{61}", "x", "u", "abab", "aba", "foo=1 bar", "git push --force",
  "sudo rm -rf /", "ñandú", "日本", "x".repeat(50), "aaaaaaaaaaab", "8", "S1", "\x0a1", "ac", "c", "a.b", "a b", "\u{1f600}"];
const rows = String.raw`
a|;a|i;^a$|;^a$|m;^b|m;a$|;a$|m;.|;.|s;a.b|;a.b|s;\d|;\D|;\w|;\W|;\s|;\S|;[\d]|;[^\d]|;[\D]|;[^\D]|;[\w-]|;[\s\S]|;[^\s\S]|;[^\W]|;[]|;[^]|;[]a|;[^]a|
\ba|;a\b|;\Ba|;a\B|;[\b]|;^\s*(cat|head)\s+|;^cat\b|;(?=a)b|;(?=a)a|;(?!a).|;(?<=a)b|;(?<!a)b|;^(?!cat).*$|;(a)\1|;(ab)\1|;\1(a)|;(a)|(b)\1|;(?<n>a)\k<n>|;(?<n>a)|
\k<n>|;\k|;\k|u;(?<n>a)\k|;(?<n>a)\k<m>|;\u0061|;\x61|;\u{61}|;\u{61}|u;\u{110000}|u;\x6|;\x6|u;\u006|;\u006|u;\cA|;\c|;\c1|;[\c]|;\ca|;\c|u;\/|;\-|;\-|u;[\-]|u
\a|;\a|u;\e|;\z|;\A|;\Z|;\G|;\Q|;a\z|;\0|;\00|;\01|;\0|u;\01|u;\1|;\1|u;\8|;\8|u;\12|;\0121|;\400|;\377|;a{1}|;a{2}|;a{1,2}|;a{1,}|;a{,2}|;a{,2}|u;{|;}|;]|;{|u;}|u;]|u;a{|;a{1|;a{x}|
{1}|;{,1}|;a{2,1}|;a**|;a*+|;a++|;a?*|;a*?|;a+?|;a??|;a{1}?|;a{1}{2}|;*|;+a|;?|;(*)|;(|;)|;(a|;a)|;(?|;(?a)|;(?:a|;(?:a)|;(?P<n>a)|;(?<>a)|;(?<1>a)|;(?<n>a)(?<n>b)|;(?<$_>a)|;(?<é>a)|;(?'n'a)|
(?#c)a|;(?>a)|;^*|;^+|;$*|;\b*|;\b+|u;(?=a)*|;(?=a)*|u;(?=a)+b|;(?<=a)*|;(?<=a)+|;(?!b)?a|;[a-c]|;[c-a]|;[a-]|;[-a]|;[a-\d]|;[\d-a]|;[a-\d]|u;[--/]|;[a|;[a-|;[\|;\|;[[]|;[[:alpha:]]|;[[a]]|;[a&&b]|;[a-z-[aeiou]]|;[^a]|;[^a]|i
[\]]|;[\w-z]|;[\x61-\x63]|;[\u0061-\u0063]|;[\0]|;[\01]|;[\1]|;[\1]|u;[\8]|;[\c1]|;[\cA]|;[\B]|;[\B]|u;[\b-a]|;\p{L}|;\p{L}|u;\P{L}|u;\p{Lu}|u;\p{Script=Greek}|u;\p{sc=Latin}|u;\p{Letter}|u;\p{nope}|u;\p{|u;[\p{L}\d]|u;[^\p{L}]|u
a|g;a|gy;b|y;b|gimsuy;a|gg;a|x;a|ii;a|d;a|uu;é|i;É|i;ß|i;SS|i;ñANDÚ|i;[à-ý]|i;日|;[一-龥]|;^..$|u;\ud83d\ude00|;\u{1f600}|u;😀|;😀|u;^😀$|u
(a|ab)(c|bcd)(d*)|;((a)|b)*\2|;(?:)|;(?:a|)|;||;a||;^(?:a+)+$|;^(a?){5}x|;x{50}|;x{51}|;x{1001}|;^(?=.*rm)(?=.*-rf).*$|;(?<!sudo )rm|;(?<=sudo )rm|;\bgit\s+push\b.*--force\b|;^[A-Z_]+=|i;\$|;\$\{|;\(|;^\.\/|;(?=(a))\1|;(?!(a))\1b|;[\s]|;[^\s]|;[\S]|;[^\S]|;[\S\n]|
(?=a|b)c|;^(?![\s\S]*push)|;^$|;^$|m;^\n$|;\n$|;\r|;\t|;\v|;\f|;a(?=b)|;a(?!b)|;\w+(?<=c)|;(?<a>a)(?<b>b)\k<b>|;(?<a>a)(?<b>b)\k<a>|;(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)\10|;(a)\10|;[^]*b|;[^\]]|`;
const out = [];
for (const row of rows.split(/[;\n]/)) {
  if (!row) continue;
  const cut = row.lastIndexOf("|");
  const pattern = row.slice(0, cut), flags = row.slice(cut + 1);
  let matches = null;
  try {
    // A new object for each text: g and y keep a position between calls.
    matches = texts.map((t) => new RegExp(pattern, flags).test(t)).map((m) => (m ? "1" : "0")).join("");
  } catch {}
  out.push({ pattern, flags, matches });
}
console.log("{\"texts\": " + JSON.stringify(texts) + ",\n\"rows\": [\n" + out.map((r) => JSON.stringify(r)).join(",\n") + "\n]}");
