import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Documents } from '../../src/ledger/documents.ts';
import { fileDocuments } from '../../src/ledger/file-documents.ts';
import { gitDocuments } from '../../src/ledger/git-documents.ts';
import { here } from './here.ts';
import { all } from './sweep.ts';

/** git as on a machine where nobody has told it a name. */
export const gitEnv: Record<string, string> = {
  PATH: process.env.PATH!,
  HOME: '/nonexistent',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
};

export function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trueup-store-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

import { atEnd } from './at-end.ts';

const settings = [
  'user.name=Ada',
  'user.email=ada@example.com',
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting]);

export const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', [...settings, ...args], {
    cwd,
    env: gitEnv,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();

/** The commit that a checkout with a branch stands on: as `git rev-parse HEAD` says, but each git costs. */
export function headOf(checkout: string): string {
  const text = (name: string) => readFileSync(join(checkout, '.git', name), 'utf8').trim();
  const head = text('HEAD');
  return head.startsWith('ref: ') ? text(head.slice('ref: '.length)) : head;
}

let made: string | undefined;

/** A repository and clones of it, made once for all tests of a process: each git costs. */
function templates(): string {
  if (made !== undefined) return made;
  const folder = mkdtempSync(join(tmpdir(), 'trueup-store-'));
  made = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const bare = join(folder, 'remote.git');
  const first = join(folder, 'first');
  mkdirSync(bare);
  git(bare, 'init', '--quiet', '--bare', '--initial-branch=main', '--template=');
  // A push is not the time to collect garbage.
  git(bare, 'config', 'receive.autogc', 'false');
  git(folder, 'clone', '--quiet', '--template=', bare, first);
  for (const name of ['one', 'two', 'three']) {
    writeFileSync(join(first, name), name);
    git(first, 'add', '.');
    git(first, 'commit', '--quiet', '-m', name);
  }
  git(first, 'push', '--quiet', 'origin', 'HEAD:main');
  return folder;
}

/** A clone of the first repository with these options, for others that are as it is: only the address is another one. */
function copyClone(options: string[], place: string, bare: string): void {
  const from = join(templates(), `clone${options.join('')}`);
  const first = `file://${join(templates(), 'remote.git')}`;
  if (!existsSync(from)) git(templates(), 'clone', '--quiet', '--template=', ...options, first, from);
  cpSync(from, place, { recursive: true, preserveTimestamps: true });
  const config = join(place, '.git/config');
  writeFileSync(config, readFileSync(config, 'utf8').replace(first, `file://${bare}`));
}

const copied = ['', '--depth=1'];
const mainOf = (bare: string) => readFileSync(join(bare, 'refs/heads/main'), 'utf8');

/** A bare repository with three commits on a branch, and a way to clone it. */
export function repository() {
  const folder = temporary();
  const bare = join(folder, 'remote.git');
  cpSync(join(templates(), 'remote.git'), bare, { recursive: true });
  const before = mainOf(bare);
  let count = 0;
  const clone = (...options: string[]): string => {
    const place = join(folder, `clone${count++}`);
    if (copied.includes(options.join('')) && mainOf(bare) === before) copyClone(options, place, bare);
    else git(folder, 'clone', '--quiet', '--branch=main', '--template=', ...options, `file://${bare}`, place);
    return place;
  };
  return { bare, clone };
}

export const gitIn = (
  cwd: string,
  {
    stack = 'demo',
    remote = 'origin',
    env = gitEnv,
  }: { stack?: string | undefined; remote?: string; env?: Record<string, string> } = {},
): Documents => gitDocuments({ stack, remote, cwd, env });

/** One stack's documents in a place of their own: each `open` is as another process would, from a checkout of its own. */
export interface Place {
  open(stack?: string): Documents;
  /** What a process of `store-process.ts` is told. */
  words(): string[];
  /** The variables that such a process needs. */
  env?: Record<string, string>;
  /** A write costs next to nothing: races may be long. */
  isQuick: boolean;
}

/** A folder below the top of a checkout, as the configuration of one part of a large repository has it. */
export function below(checkout: string): string {
  const folder = join(checkout, 'infra', 'edge');
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** The forms that a checkout may have: each gives back the folder that a run starts in, never the top of the checkout. */
export const checkouts: Record<string, (clone: ReturnType<typeof repository>['clone']) => string> = {
  'a clone': (clone) => below(clone()),
  'a shallow clone': (clone) => below(clone('--depth=1')),
  'a sparse checkout': (clone) => {
    const checkout = clone('--sparse', '--filter=blob:none');
    git(checkout, 'sparse-checkout', 'set', 'infra');
    return below(checkout);
  },
  'a linked worktree': (clone) => {
    const tree = join(temporary(), 'tree');
    git(clone(), 'worktree', 'add', '--quiet', '--detach', tree);
    return below(tree);
  },
  'a worktree of a bare clone': (clone) => {
    const around = temporary();
    git(around, 'clone', '--quiet', '--bare', git(clone(), 'remote', 'get-url', 'origin'), '.bare');
    writeFileSync(join(around, '.git'), 'gitdir: ./.bare\n');
    git(around, 'worktree', 'add', '--quiet', '--detach', 'tree');
    return below(join(around, 'tree'));
  },
  'a submodule': (clone) => {
    const around = temporary();
    const url = git(clone(), 'remote', 'get-url', 'origin');
    git(around, 'init', '--quiet');
    git(around, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', url, 'modules/site');
    return below(join(around, 'modules/site'));
  },
  'a path with blanks': (clone) => {
    const checkout = join(temporary(), ' my sites  & "more" ');
    renameSync(clone(), checkout);
    return below(checkout);
  },
};

const gitPlace = (first: string, others: string): Place => {
  const { bare, clone } = repository();
  git(bare, 'config', 'uploadpack.allowFilter', 'true');
  const shared = checkouts[first]!(clone);
  let count = 0;
  // Every second one in one and the same checkout.
  const next = () => (count++ % 2 === 0 ? shared : checkouts[others]!(clone));
  return { open: (stack) => gitIn(next(), { stack }), words: () => ['git', next()], isQuick: false };
};

export const places: Record<string, () => Place> = {
  file: () => {
    const folder = join(temporary(), 'deep');
    const path = (stack = 'demo') => join(folder, `${stack}.json`);
    return {
      open: (stack) => fileDocuments(path(stack), here),
      words: () => ['file', path()],
      isQuick: true,
    };
  },
  git: () => gitPlace('a shallow clone', 'a clone'),
  ...(all
    ? Object.fromEntries(
        Object.keys(checkouts).map((form) => [`git, in ${form}`, () => gitPlace(form, form)]),
      )
    : {}),
};

/** Bundles `store-process.ts`, so that plain processes can run it. Gives back how to start one. */
export async function storeProcess() {
  // From there it finds the packages of this repository.
  const cache = join(import.meta.dirname, '../../node_modules/.cache/trueup');
  mkdirSync(cache, { recursive: true });
  const outfile = join(mkdtempSync(join(cache, 'process-')), 'store-process.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'store-process.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    // Clients that stores load when they need them, and a package whose main file cannot be bundled.
    external: ['pg', '@aws-sdk/client-s3', 'undici', 'jsonc-parser'],
    logLevel: 'error',
  });
  const start = (words: string[], env: Record<string, string> = gitEnv) => {
    const child = spawn(process.execPath, [outfile, ...words], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines: string[] = [];
    const waiting = new Set<() => void>();
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop()!;
      lines.push(...parts);
      for (const wake of waiting) wake();
    });
    return {
      child,
      lines,
      /** Until it has printed so many lines. */
      printed: (count: number) =>
        new Promise<void>((done) => {
          const wake = () => lines.length >= count && waiting.delete(wake) && done();
          waiting.add(wake);
          wake();
        }),
      ended: new Promise<number | null>((done) => child.once('close', done)),
    };
  };
  return { start, remove: () => rmSync(join(outfile, '..'), { recursive: true, force: true }) };
}

/** Puts a text in the place of a stack's ledger, as whoever may push can. Gives back the commit. */
export function pushLedger(checkout: string, stack: string, text: string): string {
  writeFileSync(join(checkout, 'forged.json'), text);
  const blob = git(checkout, 'hash-object', '-w', 'forged.json');
  git(checkout, 'rm', '--quiet', '-r', '--cached', '.');
  git(checkout, 'update-index', '--add', '--cacheinfo', `100644,${blob},ledger.json`);
  const commit = git(checkout, 'commit-tree', git(checkout, 'write-tree'), '-m', 'Write ledger.json');
  git(checkout, 'push', '--quiet', '--force', 'origin', `${commit}:refs/trueup/${stack}`);
  return commit;
}
