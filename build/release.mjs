import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { releaseNotes } from './release-notes.mjs';

/*
 * Makes the files of a release from the commit that is checked out: `npm run release -- FOLDER`. The folder must not exist.
 *
 * It builds in a clone of that commit, so that nothing else on the machine is packed: neither changed files nor other versions of packages than
 * those of the lockfile. It publishes nothing.
 */

const root = path.resolve(import.meta.dirname, '..');
const [folder, ...unexpected] = process.argv.slice(2);
if (folder === undefined || unexpected.length > 0) fail('usage: npm run release -- FOLDER');
if (existsSync(folder)) fail(`${folder} exists already; name a new folder`);
const changedFiles = git('status', '--porcelain');
if (changedFiles !== '')
  fail(`commit these changes first, because a release contains only commits:\n${changedFiles}`);

const clone = mkdtempSync(path.join(tmpdir(), 'trueup-release-'));
try {
  // Without the hooks that the settings of this machine copy into new repositories, since they could change the package.
  const withoutHooks = ['-c', 'core.hooksPath=/dev/null', 'clone', '--quiet', '--template='];
  execFileSync('git', [...withoutHooks, root, clone], { stdio: 'inherit' });
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: clone, encoding: 'utf8' }).trim();
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: clone, stdio: ['ignore', 2, 2] });
  const packed = execFileSync('npm', ['pack', '--silent'], { cwd: clone, encoding: 'utf8' });
  const tarball = packed.trim().split('\n').at(-1);
  const { version } = JSON.parse(readFileSync(path.join(clone, 'package.json'), 'utf8'));
  const sbom = `trueup-${version}.cdx.json`;
  mkdirSync(folder, { recursive: true });
  copyFileSync(path.join(clone, tarball), path.join(folder, tarball));
  copyFileSync(path.join(clone, 'dist/sbom.cdx.json'), path.join(folder, sbom));
  const changelog = readFileSync(path.join(clone, 'CHANGELOG.md'), 'utf8');
  const notes = `# trueup ${version}\n\nCommit ${commit}\n\n${releaseNotes(changelog, version)}`;
  writeFileSync(path.join(folder, 'release-notes.md'), notes);
  const names = [tarball, sbom, 'release-notes.md'];
  const sums = names.map((name) => `${sha256(path.join(folder, name))}  ${name}\n`);
  writeFileSync(path.join(folder, 'SHA256SUMS'), sums.join(''));
  process.stdout.write(`${folder}: ${[...names, 'SHA256SUMS'].join(', ')}\n`);
} finally {
  rmSync(clone, { recursive: true, force: true });
}

function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' });
}

function sha256(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
