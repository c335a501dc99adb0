import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { savePlan } from '../../src/approval/save-plan.ts';
import { planFormats } from '../../src/cli/formats.ts';
import { replaceFile } from '../../src/files/replace-file.ts';
import { ledgerKeyFrom } from '../../src/model/digest.ts';
import { Sealed } from '../../src/model/sealed.ts';
import { jsonParts } from '../../src/report/json-parts.ts';
import { planJson } from '../../src/report/plan-json.ts';
import { jsonLine, jsonText } from '../../src/report/show.ts';
import { stacksJson } from '../../src/report/stacks/stacks-json.ts';
import { terraformPlan } from '../../src/report/terraform/terraform-plan.ts';
import type { CommandHost } from '../../src/terminal/command-run.ts';
import { printReport, type Report, terminalFor } from '../../src/terminal/terminal.ts';
import { sampled } from '../support/sweep.ts';
import { kinds } from '../support/world.ts';
import { tenPlans } from './ten-plans.ts';

const plans = await tenPlans();
const large = plans['2,000 changes'];
const textOf = (report: Report) => [...report].join('');

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>(
      undefined,
      null,
      true,
      1.5,
      '',
      'a"b\u2028\u202e\n::c ##[d]',
      new Sealed('secret'),
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    // Longer than the longest list that is not split.
    tie('value').map((item) => [item, ...Array(100).fill(null)]),
    fc.dictionary(fc.constantFrom('a', 'b\u202e', '__proto__', '1'), tie('value')),
  ),
}));

it('a document has the same text in parts and as a whole', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), value), (document) => {
      expect(textOf(jsonParts(document))).toBe(`${jsonText(document)}\n`);
      expect(textOf(jsonParts(document, 0))).toBe(`${jsonLine(document)}\n`);
    }),
  );
});

it.each(sampled(Object.entries(plans), 3))(
  'the plan %j has the same text in parts and as a whole',
  async (_, plan) => {
    const saved = savePlan(plan, {
      baseUrl: 'https://api.example.com',
      owner: 'team_1',
      generation: 7,
      options: {},
      kinds,
      secrets: new Map(),
      key: ledgerKeyFrom('a key for tests, long enough'),
    });
    expect(textOf(jsonParts(saved))).toBe(`${jsonText(saved)}\n`);
    expect(textOf(await planFormats.json(plan))).toBe(`${jsonText(planJson(plan))}\n`);
    expect(textOf(await planFormats.terraform(plan))).toBe(`${jsonLine(terraformPlan(plan))}\n`);
    const stacks = stacksJson([{ id: 'a', path: '', needs: [], plan }], undefined, []);
    expect(textOf(jsonParts(stacks))).toBe(`${jsonText(stacks)}\n`);
  },
);

it('a large plan has many parts', async () => {
  for (const report of [await planFormats.json(large), await planFormats.terraform(large)])
    expect([...report].length).toBeGreaterThan(10);
});

/** Prints a report for CI on a stream, and returns what the stream got. */
async function print(report: Report): Promise<string> {
  const chunks: string[] = [];
  const stdout = new Writable({
    decodeStrings: false,
    write(chunk, _, done) {
      chunks.push(chunk);
      setImmediate(done);
    },
  });
  const host = { stdout, stderr: stdout, env: { CI: '1' } } as unknown as CommandHost;
  await printReport(report, terminalFor({ host, exitCode: 0 }, {}));
  return chunks.join('');
}

it('a report in parts is printed like one text, with the commands of CI runners escaped', async () => {
  const document = {
    names: Array.from({ length: 5000 }, (_, index) => `##[warning] \u202e::error::${index}`),
  };
  expect(await print(jsonParts(document))).toBe(await print(jsonText(document)));
  expect(await print(await planFormats.json(large))).toBe(await print(`${jsonText(planJson(large))}\n`));
});

it('stops making a report when its reader is gone', async () => {
  let parts = 0;
  function* countParts() {
    while (parts < 10) yield `part ${++parts}\n`;
  }
  const stdout = new Writable({
    highWaterMark: 1,
    write: (_, __, done) => setImmediate(done, new Error('write EPIPE')),
  }).on('error', () => {});
  const host = { stdout, stderr: stdout, env: {} } as unknown as CommandHost;
  await printReport(countParts(), terminalFor({ host, exitCode: 0 }, {}));
  expect(parts).toBe(1);
});

it('a file that is written in parts is complete or as it was', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trueup-parts-'));
  const path = join(folder, 'plan.json');
  function* failingParts() {
    yield 'half ';
    throw new Error('no more');
  }
  await replaceFile(path, ['a', 'b'], 0o600);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await expect(replaceFile(path, failingParts(), 0o600)).rejects.toThrow('no more');
  expect(await readFile(path, 'utf8')).toBe('ab');
  expect(await readdir(folder)).toEqual(['plan.json']);
  await rm(folder, { recursive: true });
});
