import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
// @ts-expect-error: what builds has no types.
import { resourceList, writeLists } from '../../build/lists.mjs';
import { codeLines, median } from '../support/code-lines.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** A folder with a twin that has these files, and an old list. */
function twinOf(files: Record<string, string>) {
  const folder = mkdtempSync(path.join(tmpdir(), 'trueup-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const at = path.join(folder, 'providers/hosting/twin');
  for (const [name, text] of Object.entries({ 'resources.ts': 'old', ...files })) {
    mkdirSync(path.dirname(path.join(at, name)), { recursive: true });
    writeFileSync(path.join(at, name), text);
  }
  return { folder, list: () => readFileSync(path.join(at, 'resources.ts'), 'utf8') };
}

const declares = (name: string) => `const inner = 1;\nexport const ${name}: Resource = {};\n`;

it('the list of the twin’s resources is what its folders declare', () => {
  const { file, text } = resourceList(root);
  expect(readFileSync(path.join(root, file), 'utf8'), 'run `npm run build`, and commit the list').toBe(text);
});

it('finds every declaration, in the order of the files', () => {
  const { folder, list } = twinOf({
    'team/group-lists.ts': declares('groupLists'),
    'team/group.ts': declares('group'),
    'ai/rule.ts': declares('rule'),
    'ai/rule-body.ts': 'export const body = 1;',
    'ai/kept.ts': 'export const kept = all.resource(seed, make, {});\nexport const other = all.resources();',
    'call.ts': 'export const call: Resource = {};',
  });
  writeLists(folder);
  expect(list()).toContain(
    "import { kept } from './ai/kept.ts';\nimport { rule } from './ai/rule.ts';\nimport type { Resource } from './resource.ts';",
  );
  expect(list()).toContain('= [\n  kept,\n  rule,\n  group,\n  groupLists,\n];\n');
  writeLists(folder, { isChecked: true });
});

it('says where two have one name, and in CI that the list was not committed', () => {
  const two = twinOf({ 'ai/rule.ts': declares('rule'), 'security/rule.ts': declares('rule') });
  expect(() => writeLists(two.folder)).toThrow(
    'Two resources of the twin are called rule: ./ai/rule.ts and ./security/rule.ts.',
  );
  const stale = twinOf({ 'ai/rule.ts': declares('rule') });
  expect(() => writeLists(stale.folder, { isChecked: true })).toThrow(
    'providers/hosting/twin/resources.ts is not current: run `npm run build`, and commit it.',
  );
  expect(stale.list()).toBe('old');
});

// As kinds are measured: lines of code, without imports, comments and empty lines. Bodies and states that several files know stand in
// files beside them.
it('most resources are short', () => {
  const { text } = resourceList(root) as { text: string };
  const files = [...text.matchAll(/from '(\.\/\w+\/.*?)'/g)].map(([, file]) => file!);
  const texts = files.map((file) => readFileSync(path.join(root, 'providers/hosting/twin', file), 'utf8'));
  const sorted = (lines: number[]) => lines.sort((a, b) => a - b);
  const lines = sorted(texts.map(codeLines));
  const whole = sorted(texts.map((one) => one.trimEnd().split('\n').length));
  console.log(`twin: lines of code without imports ${lines.join(' ')}, median ${median(lines)}`);
  console.log(`twin: all lines ${whole.join(' ')}, median ${median(whole)}`);
  expect(files.length).toBeGreaterThan(60);
  expect(median(lines)).toBeLessThanOrEqual(60);
});
