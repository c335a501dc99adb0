import { init, parse } from 'es-module-lexer';

await init;

/**
 * A part that esbuild made as a module, as CommonJS. What it imports are constants, not properties that each use looks up, and no
 * other code is added: that is a tenth of what a short command takes. It is the same as long as parts do not import each other in
 * a circle, and change no export once they have run. Throws if the text is not what esbuild makes.
 */
export function commonJs(text) {
  const [imports, exports] = parse(text);
  const required = [];
  // Statements with what takes their place, in the order of the text.
  const replaced = imports.map(({ n: name, d: dynamic, ss: start, se: end }) => {
    const from = `require(${JSON.stringify(name)})`;
    if (name === undefined) throw new Error(`a part imports what is not said: ${text.slice(start, end)}`);
    if (dynamic >= 0) return { start, end, code: `Promise.resolve().then(()=>${from})` };
    required.push(constants(text.slice(start, end), from));
    return { start, end, code: '' };
  });
  if (exports.length > 0) {
    const start = exports[0].ss;
    if (!/^export\{[^{}]*\};?\s*$/.test(text.slice(start)))
      throw new Error('a part does not end with its exports');
    const properties = exports.map(({ n: name, ln: own }) => `${name}:${own}`);
    replaced.push({ start, end: text.length, code: `module.exports={${properties}};` });
  }
  let at = 0;
  const pieces = replaced.map(({ start, end, code }) => {
    const piece = text.slice(at, start) + code;
    at = end;
    return piece;
  });
  return `"use strict";${required.join('')}${pieces.join('')}${text.slice(at)}`;
}

/** `import a,{b as c,d}from"e"` as `const a=require("e");const{b:c,d}=require("e");`. */
function constants(statement, from) {
  const found = /^import(?:\s*([\w$]+)\s*,?)?\s*(?:\*\s*as\s+([\w$]+)|\{([^{}]*)\})?\s*(?:from\s*)?"/.exec(
    statement,
  );
  if (!found) throw new Error(`not an import as esbuild writes it: ${statement}`);
  const [, whole, space, some] = found;
  const names = [whole, space, some && `{${some.replace(/\s+as\s+/g, ':')}}`].filter(Boolean);
  return names.length > 0 ? names.map((name) => `const ${name}=${from};`).join('') : `${from};`;
}
