import { expect, it } from 'vitest';
import { atEnd } from '../support/at-end.ts';
import { Shell } from '../support/cli.ts';
import { inFront } from '../support/in-front.ts';
import { casesOf, type ReportCase, readReports, withDifference } from './report-cases.ts';

/*
 * Reports of `trueup doctor` as tests: the twin's answers get the differences of an account, and a plan still finds nothing to do. A new report of a
 * real account goes to `real-accounts`; `sample-report.json` was made against the twin,
 * with three differences added.
 */

/** Documented or measured facts that an account contradicts, and why trueup still relies on them. */
const knownContradictions: Record<string, string> = {};

const yaml = `stack: shop
platform: { team: acme }
projects:
  web:
    framework: nextjs
    env: { LOG_LEVEL: { value: info, type: plain } }
    domains: { www.example.com: {} }
sharedEnv: { A: b }
webhooks: { hook: { url: "https://example.com", events: [deployment.created], $secretTo: discard } }
globalConfigs: { shop: { items: { banner: Sale } } }
`;

const reports = readReports(import.meta.dirname);
let differences: ReportCase[] = [];
const shell = await new Shell().write({ 'trueup.yaml': yaml });
const twin = await shell.withTwin({ team: { slug: 'acme' } });
const toPattern = (operation: string) => new RegExp(`^${operation.replace(/\{[^}]+\}/g, '[^/?]+')}(\\?|$)`);
const applied = new Set<ReportCase>();
const front = await inFront(
  () => twin.url,
  async ({ method, path }, pass) => {
    const answer = (await pass())!;
    const own = differences.filter(({ operation }) => toPattern(operation).test(`${method} ${path}`));
    for (const difference of own) applied.add(difference);
    const changed = own.reduce(withDifference, JSON.parse(String(answer.body) || 'null'));
    return { ...answer, body: Buffer.from(JSON.stringify(changed) ?? '') };
  },
);
atEnd(() => front.close());
shell.env.TRUEUP_BASE_URL = front.url;
expect(await shell.run(['apply', '--auto-approve'])).toMatchObject({ status: 0 });

/** Plans with these differences in the answers, and returns the planned changes and the codes of the problems. */
async function planWith(given: ReportCase[]) {
  differences = given;
  applied.clear();
  const { stdout } = await shell.run(['plan', '--json']);
  const { changes, diagnostics } = JSON.parse(stdout);
  const actions = changes.flatMap(({ action }: { action: string }) => (action === 'noop' ? [] : [action]));
  return { actions, codes: diagnostics.map(({ code }: { code: string }) => code) };
}

it.each([...reports])('%s: differences that no kind reads change no plan', async (name, report) => {
  const unread = casesOf(report).filter(({ problem, isRead }) => !isRead || problem === 'unknown');
  expect(await planWith(unread)).toEqual({ actions: [], codes: [] });
  if (name === 'sample-report.json') expect(applied.size).toBe(unread.length);
});

it.each([...reports])('%s: differences that a kind reads delete and create nothing', async (name, report) => {
  const seen = new Set<string>();
  const read = casesOf(report).filter(({ problem, isRead }) => isRead && problem !== 'unknown');
  for (const difference of read) {
    const { actions } = await planWith([difference]);
    for (const { path } of applied) seen.add(path);
    const unsafe = actions.filter((action: string) => action !== 'update');
    expect([difference.path, unsafe]).toEqual([difference.path, []]);
  }
  // Another account may have differences in reads that this configuration does not need.
  if (name === 'sample-report.json') expect(seen.size).toBe(read.length);
});

it.each([...reports])('%s: contradicts no fact on which errors are based', (_, { facts }) => {
  const contradicted = facts.findings.filter(
    ({ verdict, confidence }) => verdict === 'contradicted' && /documented|measured/.test(confidence),
  );
  expect(contradicted.map(({ id }) => id).filter((id) => !knownContradictions[id])).toEqual([]);
});

const answer = { projects: [{ id: 'a', link: { type: 'github' } }], env: { A: { value: 'x' } } };
it.each<[path: string, problem: ReportCase['problem'], got: string | undefined, expected: object]>([
  ['projects[].id', 'missing', undefined, { ...answer, projects: [{ link: { type: 'github' } }] }],
  ['projects[].link', 'type', 'null', { ...answer, projects: [{ id: 'a', link: null }] }],
  ['env.*.value', 'type', 'number', { ...answer, env: { A: { value: 1 } } }],
  ['env.*', 'unknown', 'list', { ...answer, env: { ...answer.env, anyName: [] } }],
])('gives an answer the difference %s (%s)', (path, problem, got, expected) => {
  const difference = { operation: '', isRead: true, path, problem, ...(got === undefined ? {} : { got }) };
  expect(JSON.parse(JSON.stringify(withDifference(answer, difference)))).toEqual(expected);
});
