import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, expect } from 'vitest';
import type { Configuration } from '../../src/config/configuration.ts';
import { ConfigurationReader } from '../../src/history/configuration-reader.ts';
import { findUndoBase } from '../../src/history/undo-base.ts';
import type { UndoTarget } from '../../src/history/undo-target.ts';
import { Problems, problem } from '../../src/model/diagnostic.ts';
import { gitEnv, temporary } from '../support/ledger-places.ts';
import { oneRowIn } from '../support/sweep.ts';
import { kinds } from '../support/world.ts';
import { type ScriptedCommit, writeHistories } from './scripted-history.ts';

/*
 * Each story is a line of commits in a real repository. Their configurations are in memory: the values of two fields, A and B. The run to
 * undo applied the commit `run`, and the run before it the commit `previous`.
 */
interface Story extends Partial<Pick<UndoTarget['record']['head'], 'values'>> {
  commits: ScriptedCommit<Values>[];
  /** The fields that the run changed. By default A, which was 1 before. */
  changed?: ('A' | 'B')[];
  isShallowAt?: string;
  expected: { base?: string; reverts: string[]; note?: string } | { problem: RegExp };
}
type Values = { A: string; B: string } | 'unreadable';

const values = (A: string, B = '1'): Values => ({ A, B });
const previous = { name: 'previous', configuration: values('1') };

const stories: Record<string, Story> = {
  'after a refactoring and a commit of something else': {
    commits: [
      previous,
      { name: 'refactored', configuration: values('1') },
      { name: 'read me' },
      { name: 'run', configuration: values('2') },
    ],
    expected: { base: 'read me', reverts: ['run'] },
  },
  'in front of a commit of something else': {
    commits: [
      previous,
      { name: 'bad', configuration: values('2') },
      { name: 'read me' },
      { name: 'run', configuration: values('2') },
    ],
    expected: { base: 'previous', reverts: ['bad'] },
  },
  'in several merges that one run applied': {
    commits: [
      previous,
      { name: 'first', configuration: values('2'), isMerge: true },
      { name: 'unrelated', configuration: values('2'), isMerge: true },
      { name: 'run', configuration: values('2', '3'), isMerge: true },
    ],
    changed: ['A', 'B'],
    expected: { base: 'previous', reverts: ['run', 'first'] },
  },
  'in one of several merges': {
    commits: [
      previous,
      { name: 'first', configuration: values('2'), isMerge: true },
      { name: 'run', configuration: values('2', '3'), isMerge: true },
    ],
    expected: { base: 'previous', reverts: ['first'] },
  },
  'behind a value that was never applied': {
    commits: [
      previous,
      { name: 'never applied', configuration: values('9') },
      { name: 'again', configuration: values('1') },
      { name: 'run', configuration: values('2') },
    ],
    expected: { base: 'again', reverts: ['run'] },
  },
  'behind a configuration that cannot be read': {
    commits: [
      previous,
      { name: 'broken', configuration: 'unreadable' },
      { name: 'run', configuration: values('2') },
    ],
    expected: { base: 'previous', reverts: ['run', 'broken'] },
  },
  'that is reverted already': {
    commits: [
      previous,
      { name: 'run', configuration: values('2') },
      { name: 'reverted', configuration: values('1') },
    ],
    expected: { base: 'previous', reverts: [] },
  },
  'without recorded values': {
    commits: [
      previous,
      { name: 'refactored', configuration: values('1') },
      { name: 'run', configuration: values('2') },
    ],
    values: false,
    expected: {
      base: 'previous',
      reverts: ['run'],
      note: 'the record of run 2 does not contain the values from before it, so this goes back to the configuration of run 1',
    },
  },
  'of the first run': {
    commits: [
      { name: 'read me' },
      { name: 'first', configuration: values('1') },
      { name: 'read more' },
      { name: 'run', configuration: values('1') },
    ],
    expected: { reverts: ['first'] },
  },
  'that was replaced in the history of HEAD': {
    commits: [
      previous,
      { name: 'run', configuration: values('2') },
      { name: 'amended', configuration: values('2'), parent: 'previous' },
    ],
    expected: { problem: /the commit [0-9a-f]{40} is not in the history of HEAD/ },
  },
  'of the first run, in a shallow clone': {
    commits: [{ name: 'read me' }, { name: 'run', configuration: values('1') }],
    isShallowAt: 'run',
    expected: { problem: /the commit [0-9a-f]{40} is not in the history of HEAD/ },
  },
  'whose earlier commits a shallow clone lacks': {
    commits: [previous, { name: 'run', configuration: values('2') }],
    isShallowAt: 'run',
    expected: { problem: /the commit [0-9a-f]{40} is not in the history of HEAD/ },
  },
};

const checkout = temporary();
const shallowFile = join(checkout, '.git/shallow');
/** By story, the ids of its commits by name. */
let ids: Record<string, Map<string, string>>;

beforeAll(() => {
  const lines = Object.entries(stories).map(([name, { commits }]) => [name, commits] as const);
  ids = writeHistories(checkout, Object.fromEntries(lines));
});
afterEach(() => rmSync(shallowFile, { force: true }));

/** Returns a configuration that declares A and B as projects, or nothing. Throws `Problems` for an unreadable one. */
function configurationOf(declared: Values | undefined): Configuration {
  if (declared === 'unreadable') throw new Problems([problem('yaml/syntax', 'this is no YAML')]);
  const resources = Object.entries(declared ?? {}).map(([name, framework]) => {
    const address = `projects/${name}`;
    return [address, { address, kind: 'project', fields: { framework }, meta: {}, index: 0 }] as const;
  });
  return { desired: { stack: 'shop', resources: new Map(resources) } } as unknown as Configuration;
}

oneRowIn(5)(Object.entries(stories))('reverts only the commits with a change %s', async (name, story) => {
  const idOf = (commit: string) => ids[name]!.get(commit)!;
  const { commits, changed = ['A'], isShallowAt } = story;
  writeFileSync(join(checkout, '.git/HEAD'), `${idOf(commits.at(-1)!.name)}\n`);
  if (isShallowAt !== undefined) writeFileSync(shallowFile, `${idOf(isShallowAt)}\n`);
  const declared = new Map(commits.map((commit) => [idOf(commit.name), commit.configuration]));
  const reader = new ConfigurationReader({
    stack: 'shop',
    today: configurationOf(undefined),
    configurationAt: async (id) => configurationOf(declared.get(id)),
  });
  const isFirst = !commits.includes(previous);
  const changes = changed.map((field) => ({
    address: `projects/${field}`,
    kind: 'project',
    action: isFirst ? 'create' : 'update',
    fields: [{ path: 'framework', cause: 'edit', before: '1' }],
  }));
  const headOfRun = (run: number, commit: string) => ({ run, commit: { id: idOf(commit) } });
  const before = isFirst ? undefined : { head: headOfRun(1, 'previous') };
  const target = {
    record: { head: { ...headOfRun(2, 'run'), values: story.values }, details: { changes } },
    previous: before,
    searchStart: before,
    changes,
  } as unknown as UndoTarget;
  const finding = findUndoBase({ target, kinds, host: { cwd: checkout, env: gitEnv }, reader });
  if ('problem' in story.expected) {
    const error: Problems = await finding.then(
      () => undefined,
      (reason) => reason,
    );
    expect(error.diagnostics[0]!.message).toMatch(story.expected.problem);
    return;
  }
  const { base, reverts, note } = story.expected;
  const found = await finding;
  expect(found.reverts.map(({ id }) => id)).toEqual(reverts.map(idOf));
  expect(found.reverts.map(({ isMerge }) => isMerge)).toEqual(
    reverts.map((commit) => commits.find((each) => each.name === commit)!.isMerge ?? false),
  );
  expect(found.commit).toBe(base && idOf(base));
  expect(found.notes.map(({ message }) => message)).toEqual(note ? [expect.stringContaining(note)] : []);
});
