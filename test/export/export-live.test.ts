import { describe, expect, it } from 'vitest';
import { toExportedFiles } from '../../src/export/export-files.ts';
import { exportLive } from '../../src/export/export-live.ts';
import { exportSummary } from '../../src/export/export-summary.ts';
import { findPossibleSecrets } from '../../src/export/secret-names.ts';
import { emptyLive, type LiveResource } from '../../src/model/resource.ts';
import { Sealed } from '../../src/model/sealed.ts';
import type { Fields } from '../../src/model/value.ts';
import { kinds } from '../support/world.ts';

const object = (kind: string, address: string, fields: Fields, id = address): LiveResource => {
  const parent = address.split('/').slice(0, -2).join('/') || undefined;
  return { kind, address, parent, fields, id, ids: [id], index: 0 };
};
const web = object('project', 'projects/web', { name: 'web' });

/** One row of the platform: a variable with these targets. */
const variable = (value: string, targets: string[], others: Fields = {}): LiveResource[] =>
  targets.map((target) => {
    const fields = { key: 'API', value: new Sealed(value) as never, type: 'encrypted', target, ...others };
    const branch = others.gitBranch === undefined ? '' : `:${others.gitBranch}`;
    const unit = object('projectEnvVar', `projects/web/env/API@${target}${branch}`, fields);
    return { ...unit, rows: [{ id: `row of ${value}`, fields }] };
  });

function exportOf(...objects: LiveResource[]) {
  const live = { ...emptyLive(), resources: new Map(objects.map((found) => [found.address, found])) };
  const exported = exportLive({ live, kinds });
  const [file] = toExportedFiles(exported, { stack: 's', platform: { team: 'a' }, isSplit: false });
  return { ...exported, live, yaml: file!.text };
}

describe('a block that is left out', () => {
  it('needs no secret, and takes no name from another one', () => {
    const unused = exportOf(web, ...variable('canary', ['production'], { gitBranch: 'main' }));
    expect(unused.notes).toEqual([
      expect.stringContaining('a branch can only be used with the target preview'),
    ]);
    expect([...unused.secrets.keys()]).toEqual([]);
    expect(unused.yaml).not.toContain('secrets:');
    const used = exportOf(
      web,
      ...variable('canary-bad', ['development'], { gitBranch: 'main' }),
      ...variable('canary-good', ['production']),
    );
    expect([...used.secrets.keys()]).toEqual(['WEB_API']);
    expect(used.count).toBe(2);
  });
});

describe('a variable with several targets', () => {
  it('is one object, whose addresses are all converted', () => {
    const { converted, count } = exportOf(web, ...variable('canary', ['production', 'preview']));
    expect([...converted].sort()).toEqual([
      'projects/web',
      'projects/web/env/API@preview',
      'projects/web/env/API@production',
    ]);
    expect(count).toBe(2);
  });

  it('keeps its comments beside another one with the same key', () => {
    const { yaml } = exportOf(
      web,
      ...variable('canary-of-all', ['production', 'preview', 'development'], { visibility: 'odd' }),
      ...variable('canary-of-branch', ['preview'], { gitBranch: 'main' }),
    );
    expect(yaml).toMatch(/# `visibility` is left out: .*"odd"\n +- value: \$\{secret/);
  });
});

it('of two objects with one name, the written one is checked for secrets', () => {
  const drain = (id: string, url: string) => {
    const delivery = { type: 'http', endpoint: url, encoding: 'json' };
    return object('drain', 'drains/log', { name: 'log', schemas: { log: { version: 'v1' } }, delivery }, id);
  };
  const [plain, withPassword] = [
    drain('b', 'https://a.example.com'),
    drain('a', 'https://a.example.com?token=canary-8'),
  ];
  const { live, yaml } = exportOf({ ...plain, alternatives: [plain, withPassword] });
  expect(yaml).toContain('token=canary-8');
  expect(findPossibleSecrets(live, kinds)).toEqual(['drains/log (delivery)']);
});

it.each([
  ['dotenv', 'live [1].env', "--allow-files 'live \\[1\\].env'"],
  [
    'sops',
    'my secrets.json',
    String.raw`--allow-command 'sops --decrypt --output-type json '\''my secrets.json'\'''`,
  ],
] as const)(
  'the command for values in a %s file allows a path with special characters',
  (format, path, flag) => {
    const place = { to: 'file', file: { format, path } } as const;
    expect(exportSummary(exportOf(web), [], { place, written: new Set(['A']) })).toContain(flag);
  },
);

it('a note about a row names that row, if several have one address', () => {
  const [first, second] = ['one', 'two'].flatMap((id) => variable(id, ['production'], { gitBranch: 'main' }));
  const { notes } = exportOf(web, { ...first!, rows: [...first!.rows!, ...second!.rows!] });
  expect(notes.map((note) => /\(.*?\)/.exec(note)?.[0])).toEqual(['(row of one)', '(row of two)']);
});

describe('a section at the top that is a single block', () => {
  it('keeps the comments of its block, in one file and in a file of its own', () => {
    const settings = { ...kinds.get('webAnalytics')!, parent: undefined };
    const resource = {
      ...object('webAnalytics', 'webAnalytics', { enabled: true }),
      undeclared: ['sampling'],
    };
    const live = { ...emptyLive(), resources: new Map([[resource.address, resource]]) };
    const result = exportLive({ live, kinds: new Map([['webAnalytics', settings]]) });
    for (const isSplit of [false, true]) {
      const files = toExportedFiles(result, { stack: 's', platform: { team: 'a' }, isSplit });
      expect(files.at(-1)!.text).toContain(
        '# `sampling` is set in the account but cannot be declared: it stays as it is\nwebAnalytics:',
      );
    }
  });
});
