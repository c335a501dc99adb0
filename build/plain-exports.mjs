/** The exports of a chunk are its last statement. Behind it, the readable form has the comment with the source map. */
const exportClause = /\bexport\{([^{}]*)\};?(?=\s*(?:\/\/#.*\s*)?$)/;
/** What a CommonJS module gives to `import()`. esbuild makes it a plain value. */
const exportDefault = /\bexport default [^;{}]+;?(?=\s*(?:\/\/#.*\s*)?$)/;
const importClause = /\bimport\{[^{}]*\}from"[^"]*";/g;
/** Code that `kinds-on-use.mjs` writes: a part that is loaded without waiting. */
const requireNow = /\brequireNow\(import\("(\.\/part-[A-Z\d]{8}\.cjs)"\)\)/g;
const importOfPart = /\bimport\("(\.\/part-[A-Z\d]{8}\.cjs)"\)/g;

/**
 * Returns a chunk of esbuild, which is a module, with `module.exports` instead of its exports, and `require` instead of `import()` of other chunks.
 * esbuild then makes it CommonJS. On its own, esbuild exports each member as a getter of a getter. As every value of a plan passes functions
 * of several chunks, that took a tenth of the processor time. A variable that may get another value later still becomes a getter. `names`: what
 * the chunk exports according to esbuild. Throws if other exports are found in the text, because the form of esbuild's output has changed then.
 */
export function withPlainExports(text, names) {
  const [, list = ''] = exportClause.exec(text) ?? [];
  const code = text.replace(exportClause, '').replace(importClause, '');
  const bindings = list.split(',').flatMap((binding) => {
    const [variable, name = variable] = binding.trim().split(' as ');
    return variable === '' ? [] : [{ variable, name }];
  });
  const exportedNames = exportDefault.test(text) ? ['default'] : bindings.map(({ name }) => name);
  if (exportedNames.toSorted().join() !== names.toSorted().join())
    throw new Error(`a chunk exports ${names.join(', ')}, but these were found: ${exportedNames.join(', ')}`);
  const members = bindings.map(({ variable, name }) =>
    mayChange(variable, code) ? `get ${name}(){return ${variable}}` : `${name}:${variable}`,
  );
  return text
    .replace(exportClause, () => `module.exports={${members.join(',')}};`)
    .replaceAll(requireNow, 'require("$1")')
    .replaceAll(importOfPart, 'Promise.resolve().then(()=>require("$1"))');
}

/**
 * True if a variable of a chunk may get another value than the one at its declaration. Reads the code, since esbuild gives the names of a chunk to one
 * variable each. Texts that only look like an assignment count, too, so a getter may be unnecessary, but none is missing.
 */
function mayChange(variable, code) {
  const name = `(?<![\\w$.])${variable.replaceAll('$', '\\$')}(?![\\w$])`;
  const has = (pattern) => new RegExp(pattern).test(code);
  const values = [...code.matchAll(new RegExp(`${name}(?:=(?![=>])|[-+*/%&|^?<>]+=(?!=)|\\+\\+|--)`, 'g'))];
  const isFunction = has(`(?:function\\*? ?|class )${name}`);
  return (
    values.length > (isFunction ? 0 : 1) ||
    has(`(?:\\+\\+|--)${name}`) ||
    // Declared without a value.
    has(`(?:var |let |,)${name}[,;]`) ||
    // In a pattern, such as `[a,b]=`, or the variable of a loop.
    has(`(?:[[{,:]|\\.\\.\\.)${name}(?:[,=][^()[\\]{};]*)?[\\]}]=(?![=>])`) ||
    has(`\\(${name} (?:of|in) `)
  );
}
