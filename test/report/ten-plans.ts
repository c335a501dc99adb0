import type { Account, Plan } from '../../src/model/plan.ts';
import type { PlanOptions } from '../../src/plan/input.ts';
import { World } from '../support/world.ts';

/** Plans that every format has to make something good of, by name: real ones, made on the twin. */
export type TenPlans = Record<
  | 'everything is created'
  | 'nothing to do'
  | 'drift only'
  | 'conflict'
  | 'replace'
  | 'deletions over budget'
  | '2,000 changes'
  | 'long values'
  | 'secrets'
  | 'hostile names',
  Plan
>;

/** Contained in every secret: it must not be in anything that is written out. */
export const canary = 'canary-7f3a';

const env = (count: number, value: string, from = 0) =>
  Array.from(
    { length: count },
    (_, i) => `V${from + i}: { value: ${value}, type: plain, target: [production] }`,
  ).join(', ');

const whole = `
projects:
  web:
    framework: nextjs
    nodeVersion: 22.x
    env: { A: { value: a, type: plain }, B: b }
    domains: { www.example.com: {}, example.com: { redirect: www.example.com, redirectStatusCode: 308 } }
    firewall:
      firewallEnabled: true
      rules:
        - { name: block-admin, active: true, conditionGroup: [{ conditions: [{ type: path, op: pre, value: /admin }] }], action: { mitigate: { action: deny } } }
  docs: { framework: vite }
domains:
  example.com:
    $existing: true
    records:
      - { type: A, name: "@", value: 76.76.21.21 }
      - { type: TXT, name: _dmarc, value: v=DMARC1; p=none }
webhooks:
  deploys: { url: "https://hooks.example.com/deploys", events: [domain.created], $secretTo: discard }
`;

const text = (word: string) =>
  Array.from({ length: 40 }, (_, i) => `line ${i}${i % 13 === 5 ? ` with ${word}` : ''}`).join('\\n');

/** What breaks out of a report that does not take care: of Markdown, of HTML, of a workflow's commands, of a terminal. */
const hostile = [
  '</script><script>alert(1)</script>',
  '```\\n# not a heading\\n| a | b |',
  '::error file=x::not an annotation',
  '%0A::stop-commands::x',
  '"><img src=x onerror=alert(1)>',
  '@everyone <!-- trueup -->',
  '\\u001b[31mred\\u001b[0m \\u202eright to left',
  'ünïcode 漢字 🙂',
];

interface Making {
  name: keyof TenPlans;
  before?: string;
  outside?(world: World): void;
  yaml: string;
  options?: PlanOptions;
  env?: Record<string, string>;
}

const project = (world: World) => world.twin.account.projects.find(({ name }) => name === 'web')!;

const makings: Making[] = [
  { name: 'everything is created', yaml: whole },
  { name: 'nothing to do', before: whole, yaml: whole },
  {
    name: 'drift only',
    before: whole,
    outside: (world) => {
      project(world).framework = 'astro';
      project(world).env[0]!.value = 'changed';
    },
    yaml: whole,
  },
  {
    name: 'conflict',
    before: whole,
    outside: (world) => {
      project(world).framework = 'astro';
    },
    yaml: whole.replace('framework: nextjs', 'framework: remix'),
    options: { unattended: true },
  },
  {
    name: 'replace',
    before: whole,
    yaml: whole.replace('[domain.created], ', '[domain.created, deployment.created], $replace: allow, '),
  },
  {
    name: 'deletions over budget',
    before: `projects: { web: { env: { ${env(30, 'x')} } } }`,
    yaml: `projects: { web: { env: { ${env(4, 'x')} } } }`,
  },
  {
    name: '2,000 changes',
    yaml: `projects:\n${Array.from({ length: 20 }, (_, i) => `  web-${i}: { env: { ${env(99, 'x')} } }`).join('\n')}`,
  },
  {
    name: 'long values',
    before: `projects: { web: { env: { LONG: { value: "${text('one')}", type: plain }, KEPT: { value: k, type: plain } }, buildCommand: "${'make && '.repeat(25)}true" } }`,
    yaml: `projects: { web: { env: { LONG: { value: "${text('two')}", type: plain }, KEPT: { value: k, type: plain } }, buildCommand: "${'make && '.repeat(25)}false" } }`,
  },
  {
    name: 'secrets',
    env: { NEW: `${canary}-new`, OLD: `${canary}-old`, HOOK: `${canary}-hook` },
    before: `secrets: { value: { env: OLD }, hook: { env: HOOK } }\nprojects: { web: { env: { A: "\${secret.value}", B: { value: "\${secret.value}", type: sensitive, target: [production] } } } }`,
    yaml: `secrets: { value: { env: NEW }, hook: { env: HOOK } }\nprojects: { web: { buildCommand: "run \${secret.hook}", env: { A: "\${secret.value}", B: { value: "\${secret.value}", type: sensitive, target: [production] }, C: "https://\${secret.hook}@example.com" } } }`,
  },
  {
    name: 'hostile names',
    yaml: `projects: { web: { env: { ${hostile.map((value, i) => `H${i}: { value: "${value.replaceAll('"', '\\"')}", type: plain, comment: "${value.replaceAll('"', '\\"')}" }`).join(', ')} }, firewall: { rules: [${hostile
      .slice(0, 6)
      .map(
        (name) =>
          `{ name: "${name.replaceAll('"', '\\"')}", active: true, conditionGroup: [{ conditions: [{ type: path, op: pre, value: /a }] }], action: { mitigate: { action: log } } }`,
      )
      .join(', ')}] } } }`,
  },
];

/** The world's twin has another address each time. */
const account: Account = { type: 'team', name: 'acme' };

/** Makes all of them; takes about two seconds. */
let made: Promise<TenPlans> | undefined;

/** The plans, made once for all tests of a process: nobody changes them. */
export function tenPlans(): Promise<TenPlans> {
  made ??= make();
  return made;
}

async function make(): Promise<TenPlans> {
  const plans = await Promise.all(
    makings.map(async ({ name, before, outside, yaml, options, env = {} }) => {
      const world = await World.start({ seed: { domains: [{ name: 'example.com' }] } });
      try {
        world.env = env;
        world.parallelism = 1;
        if (before !== undefined) await world.converge(before);
        outside?.(world);
        const { plan } = await world.plan(yaml, options);
        return [name, { ...plan, account }] as const;
      } finally {
        await world.stop();
      }
    }),
  );
  return Object.fromEntries(plans) as TenPlans;
}
