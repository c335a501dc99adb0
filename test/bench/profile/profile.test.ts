import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Frame, phaseOfStack, phases, sourcesOfPhases, tenthsOfPerCent } from './phases.ts';
import { formatPhases, sharesOfPhases } from './tables.ts';

const frame = (source: string, more: Partial<Frame> = {}): Frame => ({
  functionName: 'f',
  source,
  isTopLevel: false,
  ...more,
});
const module = (source: string) => frame(source, { isTopLevel: true });

test.each([
  [['src/plan/diff.ts', 'src/run/open-plan.ts'], 'diff and plan'],
  // Shared code counts for its caller.
  [
    [
      '',
      'node_modules/zod/v4/core/core.js',
      'providers/hosting/kinds/projects/project.ts',
      'src/observe/observe.ts',
    ],
    'observe and decode',
  ],
  [['node:net', 'node_modules/undici/lib/core/connect.js'], 'HTTP'],
  [['src/config/yaml/node-reader.ts', 'src/config/load.ts'], 'YAML'],
  [['src/model/walk.ts', 'node:internal/process/task_queues'], 'shared code (values, kinds)'],
  [['node:internal/process/task_queues'], 'Node.js itself'],
])('a sample counts for the innermost function that has a phase: %j', (sources, phase) => {
  expect(phaseOfStack(sources.map((source) => frame(source)))).toBe(phase);
});

test('code that runs while a module is loaded counts as loading, unless a command called it afterwards', () => {
  const zod = frame('node_modules/zod/v4/core/core.js');
  expect(phaseOfStack([zod, module('part.cjs'), frame('src/cli/plan.ts'), module('trueup.cjs')])).toBe(
    'load and compile',
  );
  expect(phaseOfStack([zod, frame('src/cli/plan.ts'), module('trueup.cjs')])).toBe('command');
});

test('the garbage collector counts for itself, whoever made the garbage', () => {
  const collector = frame('', { functionName: '(garbage collector)' });
  expect(phaseOfStack([collector, frame('src/plan/diff.ts')])).toBe('garbage collection');
});

test('rounded shares add up to 100 %', () => {
  expect(tenthsOfPerCent([1, 1, 1])).toEqual([334, 333, 333]);
  expect(tenthsOfPerCent([0, 0])).toEqual([0, 0]);
  for (const amounts of [[1, 2, 4, 7, 1000], phases.map((_, i) => i * i + 0.1)])
    expect(tenthsOfPerCent(amounts).reduce((sum, share) => sum + share)).toBe(1000);
});

test('a table has each phase with its share of the CPU time, and a sum', () => {
  const time = [
    { stack: [frame('src/plan/diff.ts')], amount: 30 },
    { stack: [frame('src/http/client.ts')], amount: 60 },
  ];
  const allocations = [{ stack: [frame('src/plan/diff.ts')], amount: 2e6 }];
  expect(sharesOfPhases(time).amounts.reduce((sum, amount) => sum + amount)).toBe(90);
  expect(formatPhases({ time, allocations, cpuSeconds: 0.9 })).toBe(`\
  phase                                   CPU time            allocated
  HTTP                           66.7 %     600 ms     0.0 %     0.0 MB
  diff and plan                  33.3 %     300 ms   100.0 %     2.0 MB
  sum                           100.0 %     900 ms   100.0 %     2.0 MB`);
});

test('the sources of the phases exist: a folder that moves would silently count as shared code', () => {
  const exists = (source: string) => existsSync(source) || existsSync(`${source}.ts`);
  expect(
    Object.values(sourcesOfPhases)
      .flat()
      .filter((source) => !exists(source)),
  ).toEqual([]);
});
