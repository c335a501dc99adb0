import { kindsByFolder } from './kinds-on-use.mjs';

/**
 * The files that common commands load, each with the modules whose parts it joins. A part goes to the first file one of whose modules imports it. A
 * command loads the files before its own, too, and needs nearly all of them.
 */
export const joinedFiles = {
  start: ['src/cli/program.ts', 'src/process-host.ts'],
  validate: [
    'providers/hosting/index.ts',
    'src/kind/address-spelling.ts',
    'src/kind/define-kind.ts',
    'src/cli/validate.ts',
    'providers/hosting/meaning/index.ts',
    'providers/hosting/meaning/environment/index.ts',
    'providers/hosting/meaning/posture/posture.ts',
    // The kinds that nearly every configuration has.
    'providers/hosting/kinds/projects/project.ts',
    'providers/hosting/kinds/projects/project-domain.ts',
    'providers/hosting/kinds/projects/project-env-var.ts',
    'providers/hosting/kinds/domains/domain.ts',
    'providers/hosting/kinds/domains/dns-record.ts',
  ],
  plan: ['src/cli/plan.ts', 'providers/hosting/connect.ts'],
  apply: ['src/cli/apply.ts'],
  ...kindsByFolder,
};

const requiredPart = /\brequire\("\.\/(part-[A-Z\d]{8}\.cjs)"\)/g;

/**
 * Returns the built files with the parts of common commands joined in a few files. esbuild makes a part of every set of modules that are loaded
 * together; a plan loads 190 of them, and finding and reading so many files takes Node.js a tenth of the time of a small plan. `files`: name and text of
 * the parts, as CommonJS; `modulesOfFiles`: such as `joinedFiles`; `outputs`: from the metafile of esbuild. Throws if one of the modules is no part of its own.
 */
export function joinParts(files, modulesOfFiles, outputs) {
  const textOfPart = new Map(files.map(({ name, text }) => [name, text]));
  // What the entry point imports stays apart, so that `--version` loads nothing else.
  const joinedFileOf = new Map(importedParts(outputs, 'trueup.cjs').map((part) => [part, undefined]));
  for (const [joined, modules] of Object.entries(modulesOfFiles))
    for (const part of modules.flatMap((module) => importedParts(outputs, partOfModule(outputs, module))))
      if (!joinedFileOf.has(part)) joinedFileOf.set(part, joined);
      else if (isOtherFolderOfKinds(joinedFileOf.get(part), joined)) joinedFileOf.set(part, 'validate');
  const withJoined = (text, own) =>
    text.replace(requiredPart, (written, part) => {
      const joined = joinedFileOf.get(part);
      if (joined === undefined) return written;
      return joined === own ? `$part("${part}")` : `require("./parts-${joined}.cjs")("${part}")`;
    });
  const others = files
    .filter(({ name }) => joinedFileOf.get(name) === undefined)
    .map((file) => ({ ...file, text: withJoined(file.text) }));
  const joined = Object.keys(modulesOfFiles).map((file) => {
    const parts = [...joinedFileOf].filter(([, joinedFile]) => joinedFile === file);
    const functions = parts.map(([part]) => functionOfPart(part, withJoined(textOfPart.get(part), file)));
    return { name: `parts-${file}.cjs`, text: `const $parts={${functions.join(',')}},$made={};${loadPart}` };
  });
  return [...others, ...joined];
}

/** True if the kinds of two folders have a part in common. It goes to `validate`, so that a folder does not load another one. */
const isOtherFolderOfKinds = (file, otherFile) =>
  file !== otherFile && file in kindsByFolder && otherFile in kindsByFolder;

/** Runs a part once, when it is first required, like Node.js does with a file. */
const loadPart = `function $part(name){let module=$made[name];if(module===undefined){module=$made[name]={exports:{}};$parts[name](module)}return module.exports}
module.exports=$part;
`;

/** Returns a part as a member with a function. In parentheses, so that V8 compiles it together with the file and does not read its text twice. */
const functionOfPart = (part, text) => `"${part}":(function(module){${text}\n})`;

/** Returns the name of the part that begins with a module. */
function partOfModule(outputs, module) {
  const [path] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === module) ?? [];
  if (path === undefined) throw new Error(`${module} is not loaded by an import() of its own`);
  return path.slice('dist/'.length);
}

/** Returns the names of a part and of all parts that it imports, directly or indirectly. */
function importedParts(outputs, part, found = new Set()) {
  if (found.has(part)) return [];
  found.add(part);
  for (const { path, kind } of outputs[`dist/${part}`].imports)
    if (kind === 'import-statement' && outputs[path] !== undefined)
      importedParts(outputs, path.slice('dist/'.length), found);
  return [...found];
}
