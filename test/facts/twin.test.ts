import { afterAll, beforeAll, expect, it } from 'vitest';
import { facts } from '../../providers/hosting/facts.ts';
import { startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { oneRowIn } from '../support/sweep.ts';
import { type Reply, send } from '../twin/client.ts';
import { domainCases } from './domain-cases.ts';
import { type FactCase, type FactStep, teams } from './fact-case.ts';
import { projectCases } from './project-cases.ts';
import { securityCases } from './security-cases.ts';
import { teamCases } from './team-cases.ts';
import { variableCases } from './variable-cases.ts';

/*
 * The twin answers as the facts say: one row for each fact that requests can show. All cases share one account, in which each has projects
 * and domains of its own; a case about a switch has a twin of its own.
 */

const cases: FactCase[] = [...variableCases, ...projectCases, ...domainCases, ...securityCases, ...teamCases];

let shared: Twin;
beforeAll(async () => {
  shared = await startTwin({ seed: { teams } });
  for (const { seed, own } of cases) if (seed && !own) shared.add(seed);
});
afterAll(() => shared.close());

/** Sends the requests of a case in order. `last` in a path or body is the answer to the request before. */
async function run({ fact, steps, own, seed }: FactCase): Promise<void> {
  const twin = own ? await startTwin({ ...own, seed: { teams, ...own.seed, ...seed } }) : shared;
  try {
    let last: Reply = { status: 0, body: undefined, headers: {} };
    for (const step of steps) {
      const {
        request,
        status,
        body,
        check,
        rule = fact,
      }: FactStep = typeof step === 'function' ? step(last, twin) : step;
      last = await send(twin, ...request);
      expect([last.status, last.body], request.slice(0, 2).join(' ')).toEqual([status, expect.anything()]);
      if (body) expect(last.body).toMatchObject(body as object);
      if (status >= 400)
        expect(last.headers['x-twin-rule'], `${request[1]}: its rule`).toBe(rule ?? undefined);
      check?.(last.body);
    }
  } finally {
    if (own) await twin.close();
  }
}

oneRowIn(5)(cases.map((one) => [`${one.fact}: ${one.title}`, one] as const))('%s', (_, one) => run(one));

it('has cases for facts that exist', () => {
  const ids = new Set(facts.map(({ id }) => id));
  expect(cases.map(({ fact }) => fact).filter((id) => !ids.has(id))).toEqual([]);
});
