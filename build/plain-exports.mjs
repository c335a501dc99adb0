const exportClause = /export\{([^{}]*)\};?/g;
const importOfPart = /\bimport\("(\.\/[\w.-]+\.cjs)"\)/g;

/**
 * Returns a chunk of esbuild, which is a module, with `module.exports` in place of its exports, and `require` in place of `import()` of other chunks.
 * esbuild then makes it CommonJS. On its own, esbuild exports each member as a getter of a getter. As every value of a plan passes functions
 * of several chunks, that took a tenth of the processor time. A variable that may be assigned again still becomes a getter. Throws if a chunk has several
 * export clauses.
 */
export function withPlainExports(text) {
  const clauses = [...text.matchAll(exportClause)];
  if (clauses.length > 1) throw new Error(`a chunk has several export clauses: ${clauses.join(' ')}`);
  const members = clauses.flatMap(([, list]) =>
    list.split(',').map((binding) => memberFor(binding.trim(), text)),
  );
  return text
    .replace(exportClause, () => `module.exports={${members.join(',')}};`)
    .replaceAll(importOfPart, 'Promise.resolve().then(()=>require("$1"))');
}

/** Returns the member of `module.exports` for a binding of an export clause: `b:a` for `a as b`. */
function memberFor(binding, text) {
  const [variable, name = variable] = binding.split(' as ');
  const assignment = new RegExp(
    `(?<![\\w$.])${variable.replaceAll('$', '\\$')}(=(?![=>])|[-+*/%&|^?<>]+=(?!=)|\\+\\+|--)`,
    'g',
  );
  // Inner variables of the same name count, too, so a getter may be unnecessary, but none is missing.
  const isAssignedAgain = [...text.matchAll(assignment)].length > 1;
  return isAssignedAgain ? `get ${name}(){return ${variable}}` : `${name}:${variable}`;
}
