// Builds dist/: the whole tool without runtime dependencies. trueup.cjs starts it, library.cjs (for modules: library.mjs, typed by
// types/) is for programs, the other .cjs files are the parts that both load,
// the files *.schema.json describe what `plan --json`, `stacks --json`, `test --json` and `diff --json` print, a file of guards, and a bug report; the rest says what is bundled. The same sources make the same bytes.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, version as esbuildVersion } from 'esbuild';
import { bundle } from './build/bundle.mjs';
import { bundledPackages } from './build/bundled-packages.mjs';
import { joinedFiles } from './build/join-parts.mjs';
import { libraryTypes } from './build/library.mjs';
import { writeLists } from './build/lists.mjs';
import { lockfile } from './build/lockfile.mjs';
import { plugins } from './build/plugins.mjs';
import { sbom } from './build/sbom.mjs';
import { thirdPartyNotices } from './build/third-party-notices.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const dist = join(root, 'dist');

/** Whatever the umask, everybody may read it: the mode is in the package, too. */
function write(name, text, mode = 0o644) {
  writeFileSync(join(dist, name), text);
  chmodSync(join(dist, name), mode);
}
const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

// What is built in CI is what was committed.
writeLists(root, { isChecked: Boolean(process.env.CI) });

// The package holds these two as they are checked out.
for (const file of ['package.json', 'README.md']) chmodSync(join(root, file), 0o644);
rmSync(dist, { recursive: true, force: true });
mkdirSync(join(dist, 'bundled'), { recursive: true });
const { files, metafile } = await bundle(root, manifest, { joined: joinedFiles });
for (const { name, text } of files) {
  if (name === 'trueup.cjs') write(name, `#!/usr/bin/env node\n${text}`, 0o755);
  else write(name, text);
}

// A module can import only names that are written out.
write(
  'library.mjs',
  `import library from './library.cjs';\nexport const { ${metafile.outputs['dist/library.cjs'].exports.sort().join(', ')} } = library;\n`,
);
for (const [name, text] of Object.entries(libraryTypes(root))) {
  mkdirSync(dirname(join(dist, 'types', name)), { recursive: true });
  write(join('types', name), text);
}

const bundled = bundledPackages(root, metafile);
write('THIRD-PARTY-NOTICES.txt', thirdPartyNotices(bundled.packages));
write('sbom.cdx.json', json(sbom(manifest, bundled, { name: 'esbuild', version: esbuildVersion })));
for (const [name, content] of Object.entries(lockfile(manifest, bundled)))
  write(join('bundled', name), json(content));
// Run with no environment, since whatever is set for other programs, or for node, is not for this one.
for (const [name, ...flags] of [
  ['stacks.schema.json', '--plan', '--all'],
  ['plan.schema.json', '--plan'],
  ['matrix.schema.json', '--stacks'],
  ['guards.schema.json', '--guards'],
])
  write(name, execFileSync(process.execPath, [join(dist, 'trueup.cjs'), 'schema', ...flags], { env: {} }));

// No command prints these schemas, so their modules are run alone.
const schemas = await build({
  absWorkingDir: root,
  stdin: {
    contents: `import { comparisonSchema } from './src/compare/comparison-json.ts';
import { bugReportSchema } from './src/doctor/bug-report-schema.ts';
import { testResultsSchema } from './src/testing/report/tests-json.ts';
process.stdout.write(JSON.stringify({ bug: bugReportSchema(), diff: comparisonSchema(), tests: testResultsSchema() }));`,
    resolveDir: root,
  },
  bundle: true,
  platform: 'node',
  format: 'cjs',
  write: false,
  plugins,
});
const program = schemas.outputFiles[0].text;
const printed = execFileSync(process.execPath, ['-'], { input: program, env: {}, encoding: 'utf8' });
for (const [name, schema] of Object.entries(JSON.parse(printed)))
  write(`${name}.schema.json`, `${JSON.stringify(schema, null, 2)}\n`);
