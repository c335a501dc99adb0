import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hosting } from '../../providers/hosting/index.ts';
import { load } from '../../src/config/load.ts';
import { render } from '../../src/config/render/render.ts';
import { kindsOf } from '../../src/kind/define-kind.ts';
import { companyOf, instancesOf } from '../support/company.ts';
import type { Comparison, Line } from './comparison.ts';
import { findings } from './findings.ts';
import { fleet } from './fleet.ts';
import { limits } from './limits.ts';
import { linear } from './linear.ts';
import { inTurn, measured, type Sample, spread } from './measure.ts';
import { mixedStack, stackOf } from './stacks.ts';
import { streams } from './streams.ts';
import { TerraformFolder, terraformVersion } from './terraform.ts';
import { Workplace } from './workplace.ts';

const secondsOf = (samples: Sample[]) => samples.map(({ seconds }) => seconds);
const medianOf = (samples: Sample[]) => spread(secondsOf(samples)).median;
/** Pair by pair, since the machine is not equally fast all the time. */
const ratioOf = (ours: Sample[], theirs: Sample[]) =>
  spread(ours.map(({ seconds }, at) => seconds / theirs[at]!.seconds)).median;
const noTerraform = () =>
  terraformVersion() === undefined ? 'there is no `terraform` on the PATH' : undefined;

/** What takes the time of a whole process, against another one; and the memory, if that is compared too. */
function against(
  what: string,
  { ours, theirs }: { ours: Sample[]; theirs: Sample[] },
  target: Pick<Line, 'target' | 'moonshot'>,
  memoryTarget?: number,
): Line[] {
  const samples = { ours: spread(secondsOf(ours)), theirs: spread(secondsOf(theirs)) };
  const line: Line = { what, figure: ratioOf(ours, theirs), unit: 'times', ...target, samples };
  const peaks = [ours, theirs].map((all) => all.flatMap(({ memory }) => memory ?? []));
  if (memoryTarget === undefined || peaks.some(({ length }) => length === 0)) return [line];
  const [mine, others] = peaks.map(spread);
  return [
    line,
    {
      what: `${what}: memory`,
      figure: mine!.median / others!.median,
      unit: 'times',
      target: memoryTarget,
      samples: { 'ours, MiB': mine!, 'theirs, MiB': others! },
    },
  ];
}

async function withPlace<T>(yaml: string, use: (place: Workplace) => Promise<T>): Promise<T> {
  const place = new Workplace(yaml);
  try {
    await place.begin();
    return await use(place);
  } finally {
    await place.remove();
  }
}

const start: Comparison = {
  name: 'start',
  does: 'the start of the program, against `node -e 0`',
  lines: () =>
    withPlace(stackOf({ projects: 2, variables: 4 }), async (place) => {
      const node = () => measured({ argv: [process.execPath, '-e', '0'] });
      const lines: Line[] = [];
      for (const [args, target, moonshot] of [
        [['--version'], 1.6, 1.2],
        [['--help'], 1.6, 1.2],
        [['validate'], 4.2, 2],
      ] as const) {
        const samples = await inTurn(() => measured(place.command(...args)), node, 15);
        lines.push(...against(`trueup ${args.join(' ')}, against node -e 0`, samples, { target, moonshot }));
      }
      return lines;
    }),
};

const noOpPlan = (resources: number, target: number, moonshot: number, memory?: number): Comparison => ({
  name: `plan-${resources}`,
  does: `a plan without changes of ${resources} resources through HTTP, against Terraform with as many blocks and no HTTP`,
  missing: noTerraform,
  lines: () =>
    withPlace(mixedStack(resources), async (place) => {
      await place.apply();
      const terraform = new TerraformFolder(resources).applied();
      const theirs = () => measured(terraform.command('plan', '-input=false', '-lock=false'));
      const samples = await inTurn(place.plan, theirs, resources > 1000 ? 5 : 9);
      terraform.remove();
      return against(
        `plan of ${resources} unchanged resources, against Terraform`,
        samples,
        { target, moonshot },
        memory,
      );
    }),
});

/** 1,000 variables and 200 rules in 10 projects, 500 records in 5 domains. */
const busy = stackOf({ projects: 10, variables: 100, rules: 20, records: 100, domains: 5 });

/** A request without what differs from page to page of one list. */
function pageless(path: string): string {
  const [list, query] = path.split('?');
  const kept = new URLSearchParams(query);
  for (const name of ['until', 'since', 'from', 'next', 'cursor', 'page', 'limit', 'per_page'])
    kept.delete(name);
  return `${list}?${kept}`;
}

const requests: Comparison = {
  name: 'requests',
  does: 'how many requests a plan without changes makes, and what their latency costs',
  lines: () =>
    withPlace(busy, async (place) => {
      await place.apply();
      const { reads } = await place.plan();
      const pages = new Map<string, number>();
      for (const { path } of place.twin.requests) {
        const list = pageless(path);
        pages.set(list, (pages.get(list) ?? 0) + 1);
      }
      // Whose account it is, then what has no parent, then what is in it.
      const isTop = (list: string) => /\/(projects|domains)\?/.test(list);
      const most = (of: (list: string) => boolean) =>
        Math.max(0, ...[...pages].filter(([list]) => of(list)).map(([, count]) => count));
      const chain = 1 + most(isTop) + most((list) => !isTop(list));
      const near: Sample[] = [];
      const far: Sample[] = [];
      for (let run = 0; run < 7; run++) {
        place.latencyMs = 0;
        near.push(await place.plan());
        place.latencyMs = 50;
        far.push(await place.plan());
      }
      const floor = chain * 0.05 + medianOf(near);
      return [
        {
          what: 'requests of a plan of 1,725 unchanged objects',
          figure: reads,
          unit: 'requests',
          target: 60,
        },
        {
          what: `the same with 50 ms of latency, against ${chain} x 50 ms and the time without`,
          figure: medianOf(far) / floor,
          unit: 'times',
          target: 1.5,
          moonshot: 1.2,
          samples: { without: spread(secondsOf(near)), with: spread(secondsOf(far)) },
        },
      ];
    }),
};

const batches: Comparison = {
  name: 'batches',
  does: 'how many writes 1,000 new variables in 10 projects take',
  lines: () =>
    withPlace(stackOf({ projects: 10 }), async (place) => {
      await place.apply();
      place.configure(stackOf({ projects: 10, variables: 100 }));
      const { writes } = await place.apply();
      return [
        {
          what: 'writes for 1,000 new variables in 10 projects',
          figure: writes,
          unit: 'requests',
          target: 30,
          moonshot: 10,
        },
      ];
    }),
};

const applies: Comparison = {
  name: 'apply',
  does: 'an apply of 1,000 new resources through HTTP, against Terraform with as many blocks and no HTTP',
  missing: noTerraform,
  lines: () =>
    withPlace(stackOf({ projects: 100, variables: 5, rules: 1, records: 100, domains: 3 }), async (place) => {
      const terraform = new TerraformFolder(1000);
      const ours = async () => {
        await place.begin();
        return place.apply();
      };
      const theirs = () => measured(terraform.empty().command('apply', '-auto-approve', '-input=false'));
      const samples = await inTurn(ours, theirs, 3);
      terraform.remove();
      return against('apply of 1,000 new resources, against Terraform', samples, {
        target: 1 / 2,
        moonshot: 1 / 6,
      });
    }),
};

const growth: Comparison = {
  name: 'growth',
  does: 'how time grows with the number of resources',
  lines: async () => {
    const applied = new Map<number, number>();
    for (const resources of [1000, 10_000])
      applied.set(
        resources,
        await withPlace(mixedStack(resources), async (place) => (await place.apply()).seconds),
      );
    const planned = new Map<number, Sample>();
    for (const resources of [1000, 10_000, 100_000])
      planned.set(resources, await withPlace(mixedStack(resources), (place) => place.run('plan')));
    const exponent = (from: number, to: number) =>
      Math.log10(planned.get(to)!.seconds / planned.get(from)!.seconds) / Math.log10(to / from);
    const of = (resources: number) => spread([planned.get(resources)!.seconds]);
    const memory = planned.get(100_000)!.memory;
    const lines: Line[] = [
      {
        what: 'apply of 10,000 new resources, against 1,000',
        figure: applied.get(10_000)! / applied.get(1000)!,
        unit: 'times',
        target: 15,
        moonshot: 11,
        samples: { '1,000': spread([applied.get(1000)!]), '10,000': spread([applied.get(10_000)!]) },
      },
      {
        what: 'growth of a plan from 1,000 to 10,000 new resources',
        figure: exponent(1000, 10_000),
        unit: 'exponent',
        target: 1.1,
        samples: { '1,000': of(1000), '10,000': of(10_000) },
      },
      {
        what: 'growth of a plan from 10,000 to 100,000 new resources',
        figure: exponent(10_000, 100_000),
        unit: 'exponent',
        target: 1.1,
        samples: { '10,000': of(10_000), '100,000': of(100_000) },
      },
    ];
    if (memory !== undefined)
      lines.push({
        what: 'memory of a plan of 100,000 new resources',
        figure: memory,
        unit: 'MiB',
        moonshot: 1024,
      });
    return lines;
  },
};

/** A configuration with templates, against the same one as `render` prints it or as people would write it. */
const templates: Comparison = {
  name: 'templates',
  does: 'a company of 60 sites by a template against its rendered text, and 100,000 instances against written ones',
  lines: async () => {
    const validating = async (ours: string, theirs: string, runs: number) =>
      withPlace(ours, async (place) => {
        writeFileSync(join(place.folder, 'theirs.yaml'), theirs);
        return inTurn(
          () => measured(place.command('validate')),
          () => measured(place.command('validate', '-f', 'theirs.yaml')),
          runs,
        );
      });
    const company = companyOf(60);
    const kinds = kindsOf(hosting.kinds);
    const rendered = render(await load({ kinds, cwd: '/', env: {}, text: company }));
    return [
      ...against(
        'validate of 60 sites of one template, against the rendered text',
        await validating(company, rendered, 5),
        { target: 2, moonshot: 1 },
      ),
      ...against(
        'validate of 50,000 instances of 2 resources, against as many written blocks',
        await validating(instancesOf(50_000, 'template'), instancesOf(50_000, 'written'), 3),
        { target: 1.5, moonshot: 1 },
      ),
    ];
  },
};

export const comparisons: Comparison[] = [
  templates,
  start,
  noOpPlan(1000, 1 / 2, 1 / 4),
  noOpPlan(10_000, 1 / 4, 1 / 8, 1 / 2),
  requests,
  batches,
  applies,
  growth,
  findings,
  linear,
  streams,
  limits,
  fleet,
];
