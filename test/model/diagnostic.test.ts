import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { problem, Reporter } from '../../src/model/diagnostic.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

story('a configuration may have more problems than a call takes arguments', () => {
  const added = Array.from({ length: 200_000 }, () => problem('config/type', 'wrong'));
  const report = new Reporter();
  report.add(added);
  expect(report.diagnostics).toHaveLength(added.length);
});

test('no list of problems is passed as arguments', () => {
  const spread = /\.(push|unshift|add)\(\s*\.\.\.[^;]*(diagnostics|problems|warnings)\b/i;
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  expect(files.filter((name) => spread.test(readFileSync(join('src', name), 'utf8')))).toEqual([]);
});
