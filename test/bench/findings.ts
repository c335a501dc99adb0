import { hosting } from '../../providers/hosting/index.ts';
import { load } from '../../src/config/load.ts';
import { kindsOf } from '../../src/kind/define-kind.ts';
import { findInPlan } from '../../src/meaning/find.ts';
import { viewOfConfigurations } from '../../src/meaning/view.ts';
import type { Comparison } from './comparison.ts';
import { cpuSecondsOf, spread } from './measure.ts';
import { mixedAccount } from './stacks.ts';
import { Workplace } from './workplace.ts';

const resources = 10_000;
const rounds = 5;

/** Returns the CPU seconds that a plan needs for its findings: two views, and the checks of both. */
async function secondsOfFindings(yaml: string): Promise<number> {
  const { desired } = await load({ kinds: kindsOf(hosting.kinds), cwd: '/', text: yaml, env: {} });
  const meaning = await hosting.meaning();
  const start = process.cpuUsage();
  const [before, after] = [viewOfConfigurations([desired]), viewOfConfigurations([desired])];
  // Without a change only one view would be checked.
  const change = { action: 'update', address: '', kind: '', parent: undefined, paths: [] };
  await findInPlan(meaning, { before, after } as never, { changes: [change as never], desired });
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

export const findings: Comparison = {
  name: 'findings',
  description: `the findings of a plan of ${resources} resources, against the whole plan`,
  async measure() {
    const yaml = mixedAccount(resources);
    const place = new Workplace(yaml);
    const [checks, plans]: [number[], number[]] = [[], []];
    try {
      await place.begin();
      await place.apply();
      for (let round = 0; round < rounds; round++) {
        plans.push(cpuSecondsOf(await place.run('plan')));
        checks.push(await secondsOfFindings(yaml));
      }
    } finally {
      await place.remove();
    }
    const samples = { 'findings, CPU seconds': spread(checks), 'plan, CPU seconds': spread(plans) };
    const figure = spread(checks.map((check, round) => check / plans[round]!)).median;
    return [
      {
        what: `findings of ${resources} resources, against the plan: CPU`,
        figure,
        unit: 'times',
        target: 0.1,
        samples,
      },
    ];
  },
};
