// Measures parseKey of the native addon: node addon.cjs LIBRARY ROUNDS JSON-ARRAY-OF-KEYS. Prints nanoseconds as JSON.
// With "answers" for ROUNDS it prints what the addon says instead: see addon_test.go.
const path = require("node:path");
const [library, rounds, question] = process.argv.slice(2);
const suffix = process.arch === "x64" ? "x64-baseline" : process.arch;
const addon = require(path.join(library, `pi_natives.${process.platform}-${suffix}.node`));

function busy() {
  const c = process.cpuUsage();
  return (c.user + c.system) * 1000;
}

function best(f) {
  let n = 1;
  for (;;) {
    const before = busy();
    for (let i = 0; i < n; i++) f();
    if (busy() - before > 20e6 || n > 2 ** 30) break;
    n *= 2;
  }
  let fastest = Infinity;
  for (let r = 0; r < Number(rounds); r++) {
    const before = busy();
    for (let i = 0; i < n; i++) f();
    fastest = Math.min(fastest, (busy() - before) / n);
  }
  return fastest;
}

if (rounds !== "answers") {
  const keys = JSON.parse(question);
  for (const key of keys) best(() => addon.parseKey(key, false)); // warm
  console.log(JSON.stringify(keys.map((key) => best(() => addon.parseKey(key, false)))));
} else {
  const lines = require("node:fs").readFileSync(0, "utf8").split("\n").filter(Boolean);
  const text = (hex) => Buffer.from(hex, "hex").toString("utf8");
  const answers = lines.map((line) => {
    const q = JSON.parse(line);
    const data = text(q.hex);
    return JSON.stringify({
      legacy: addon.parseKey(data, false) ?? "",
      kitty: addon.parseKey(data, true) ?? "",
      fields: addon.parseKittySequence(data) ?? null,
      matches: q.ids.map((id) => addon.matchesKey(data, id, false)),
      classic: q.ids.map((id) => addon.matchesLegacySequence(data, id)),
    });
  });
  process.stdout.write(answers.join("\n") + "\n");
}
