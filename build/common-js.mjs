import { basename } from 'node:path';
import { init, parse } from 'es-module-lexer';
import { groupsOf } from './groups.mjs';

await init;

/**
 * The parts that esbuild made as modules, as CommonJS files, by name; the first is called `entry`, a second one `library`, and
 * others that are mostly loaded together are one file. What a part imports are constants, not properties that each use looks up, and little other code is
 * added: both together are a sixth of what a short command takes. It is the same as long as parts do not import each other in a
 * circle, and change no export once they have run. Throws if a text is not what esbuild makes.
 */
export function commonJsFiles(outputFiles, entry, library) {
  const modules = new Map(outputFiles.map(({ path, text }) => [basename(path), moduleOf(text)]));
  // For the groups the library is one more thing that may be loaded later.
  modules.get(entry).later.push(library);
  const groups = groupsOf(Object.fromEntries(modules), entry);
  const fileOf = (name) => (name === entry || name === library ? name : `part-${groups[name]}.cjs`);
  const files = new Map();
  for (const name of inOrder(modules)) {
    const file = fileOf(name);
    // A part of the same file has run by now, and is a constant of it.
    const required = (from) =>
      !modules.has(basename(from))
        ? `require("${from}")`
        : fileOf(basename(from)) === file
          ? idOf(from)
          : `require("./${fileOf(basename(from))}").${idOf(from)}`;
    const code = modules.get(name).code(required);
    const text =
      file === entry
        ? `{${code}}`
        : file === library
          ? `module.exports=(()=>{${code}})();`
          : `const ${idOf(name)}=(()=>{${code}})();exports.${idOf(name)}=${idOf(name)};`;
    files.set(file, `${files.get(file) ?? '"use strict";'}${text}\n`);
  }
  return files;
}

/** `./part-23BM3TEV.cjs` as a name in the code. */
const idOf = (name) => basename(name, '.cjs').replace('-', '_');

/** Each after what it imports. */
function inOrder(modules) {
  const ordered = new Set();
  const add = (name, trail) => {
    if (trail.includes(name)) throw new Error(`parts import each other: ${[...trail, name].join(', ')}`);
    for (const imported of modules.get(name).imports)
      if (!ordered.has(imported)) add(imported, [...trail, name]);
    ordered.add(name);
  };
  for (const name of [...modules.keys()].sort()) add(name, []);
  return ordered;
}

/** The imports of a module, and its text as the body of a function that returns its exports. */
function moduleOf(text) {
  const [imports, exports] = parse(text);
  const unsaid = imports.find(({ n }) => n === undefined);
  if (unsaid) throw new Error(`a part imports what is not said: ${text.slice(unsaid.ss, unsaid.se)}`);
  const own = (isDynamic) =>
    imports.filter(({ n, d }) => n.startsWith('./') && d >= 0 === isDynamic).map(({ n }) => basename(n));
  const end = exports[0]?.ss ?? text.length;
  // A package that is CommonJS itself, and loaded when it is needed, is all that its part exports.
  const whole = /^export default ([\w$]+\(\));?\s*$/.exec(text.slice(end))?.[1];
  if (end < text.length && !whole && !/^export\s*\{[^{}]*\};?\s*$/.test(text.slice(end)))
    throw new Error('a part does not end with its exports');
  return {
    size: text.length,
    imports: [...new Set(own(false))],
    later: own(true),
    builtins: imports.filter(({ n, d }) => !n.startsWith('./') && d < 0).length,
    code(required) {
      let at = 0;
      const head = [];
      const body = imports.map(({ n, d, ss, se }) => {
        const before = text.slice(at, ss);
        at = se;
        if (d >= 0) return `${before}Promise.resolve().then(()=>${required(n)})`;
        head.push(constants(text.slice(ss, se), required(n)));
        return before;
      });
      const properties = exports.map(({ n, ln }) => `${n}:${whole ?? ln}`);
      const result = properties.length > 0 ? `return{${properties}};` : '';
      return [...head, ...body, text.slice(at, end), result].join('');
    },
  };
}

/** `import a,{b as c,d}from"e"` as `const a=require("e");const {b:c,d}=require("e");`. */
function constants(statement, from) {
  const found = /^import(?:\s*([\w$]+)\s*,?)?\s*(?:\*\s*as\s+([\w$]+)|\{([^{}]*)\})?\s*(?:from\s*)?"/.exec(
    statement,
  );
  if (!found) throw new Error(`not an import as esbuild writes it: ${statement}`);
  const [, whole, space, some] = found;
  const names = [whole, space, some && `{${some.replace(/\s+as\s+/g, ':')}}`].filter(Boolean);
  return names.length > 0 ? names.map((name) => `const ${name}=${from};`).join('') : `${from};`;
}
