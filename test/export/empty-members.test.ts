import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { kinds as allKinds } from '../../providers/hosting/kinds/index.ts';
import type { Kind } from '../../src/kind/kind.ts';
import type { Pages } from '../../src/model/request.ts';
import { casesOf } from '../support/field-cases.ts';
import { type OptionalMember, optionalMembers } from '../support/optional-members.ts';
import { merged, placed, sampleSeed, samples } from '../support/samples.ts';
import { all, isTried, sampled } from '../support/sweep.ts';
import { describe as told, World } from '../support/world.ts';
import { send } from '../twin/client.ts';
import { exported } from './exported.ts';

const concerned = allKinds.filter((kind) => optionalMembers(kind).length > 0);
/** Maps in it have free keys, so that nothing can be put into them: it would be another entry. */
const isInFreeMap = ({ within }: OptionalMember) => within.startsWith('trustedSources');
const members = concerned.flatMap((kind) =>
  optionalMembers(kind)
    .filter((member) => !isInFreeMap(member))
    .map((member) => ({
      ...member,
      label: `${kind.name} ${member.within}.${member.name}`,
    })),
);

/** The leaf that a case is about: its label tells which one it is. */
const leafOf = (kind: Kind, label: string) =>
  Object.keys(samples[kind.name]!.leaves)[Number(/(\d+)(?:made|set)$/.exec(label)![1])]!;

/** Whether a leaf is, or is in, a value with such members. */
const holdsMembers = (kind: Kind, leaf: string) =>
  optionalMembers(kind).some(({ within }) => within.split('.')[0] === leaf.split('.')[0]);

const lastTwo = (names: string) => names.split('.').slice(-2).join('.');

/** What was put into answers, and where it belongs. */
const inserted = new WeakMap<object, string>();

/** Every place in an answer where one of the members could be and is not, by the names on the way. */
function fill(answer: unknown, empty: unknown, wanted: OptionalMember[], put: (one: OptionalMember) => void) {
  const names = new Set(wanted.map(({ within }) => within.split('.').at(-1)!));
  const walk = (value: unknown, last: string[]): void => {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      for (const item of value) walk(item, last);
      return;
    }
    const object = value as Record<string, unknown>;
    for (const name in object)
      if (typeof object[name] === 'object') walk(object[name], [...last, name].slice(-6));
    if (!last.slice(-4).some((name) => names.has(name))) return;
    const filled = new Set<string>();
    const isIn = inserted.get(object);
    for (const member of wanted) {
      if (isIn !== undefined && lastTwo(isIn) !== lastTwo(member.within)) continue;
      const isThere = member.beside.every((name) => object[name] !== undefined);
      const isMeant = Object.entries(member.constants).every(
        ([name, one]) => one.safeParse(object[name]).success,
      );
      // Entries of maps stand between the names of the schema.
      const names = member.within.split('.');
      const isFree = object[member.name] === undefined || filled.has(member.name);
      if (!isThere || !isMeant || !isFree || !last.slice(-4).includes(names.at(-1)!)) continue;
      const value = structuredClone(empty);
      if (typeof value === 'object' && value !== null) inserted.set(value, `${member.within}.${member.name}`);
      object[member.name] = value;
      filled.add(member.name);
      put(member);
    }
  };
  walk(answer, []);
}

const condition = { lhs: { type: 'entity', kind: 'user', attribute: 'id' }, cmp: 'oneOf' };
const items = [{ value: 'a' }];
const ruleWith = (outcome: object) => ({
  id: 'r',
  conditions: [{ ...condition, rhs: { type: 'list', items }, cmpOptions: { ignoreCase: true } }, condition],
  outcome,
});
const answer = { type: 'variant', variantId: 'on' };
const environment = { active: true, pausedOutcome: answer, fallthrough: answer, rules: [ruleWith(answer)] };
/** What no sample leaves out. */
const sparse = {
  projects: {
    sparse: {
      firewall: {
        rules: [
          {
            name: 'limit',
            active: true,
            conditionGroup: [{ conditions: [{ type: 'path', op: 'eq', value: '' }] }],
            action: {
              mitigate: {
                action: 'rate_limit',
                rateLimit: { algo: 'fixed_window', window: 60, limit: 10, keys: ['ip'] },
              },
            },
          },
        ],
      },
      routes: [
        {
          name: 'route',
          route: {
            src: '/a',
            missing: [{ type: 'host', value: 'a.example.com' }],
          },
        },
      ],
      deployments: { v1: { gitSource: { type: 'gitlab', projectId: 7 } } },
      segments: { some: { label: 'Some', hint: '', data: { rules: [ruleWith({ type: 'all' })] } } },
      featureFlags: {
        flag: {
          kind: 'boolean',
          variants: [{ id: 'on', value: true }],
          environments: { production: environment, preview: environment, development: environment },
        },
      },
    },
  },
};

const isPages = (answer: unknown): answer is Pages => typeof (answer as Pages | null)?.items === 'function';

describe.runIf(isTried(1, 3))('an optional member of a whole-compared value', () => {
  let world: World;
  let yaml: string;
  const seen = new Set<string>();

  beforeAll(async () => {
    world = await World.start({ seed: sampleSeed });
    const bodies = concerned.flatMap((kind) =>
      casesOf(kind)
        .filter(({ label }) => holdsMembers(kind, leafOf(kind, label)))
        .map((one) => placed(samples[kind.name]!, one.label, one.steps[1]!)),
    );
    yaml = stringify(merged(sparse, ...bodies));
    const { outcome } = await world.apply(await world.plan(yaml, { maxDeletions: 1000 }));
    expect(outcome).toMatchObject({ failed: [], postponed: [], skipped: [] });
  });
  afterAll(() => world.stop());

  const empties: [shown: string, empty: unknown][] = [
    ['""', ''],
    ['false', false],
    ['null', null],
    ['[]', []],
  ];
  // What is put into members that were put in needs the object.
  it.each([...sampled(empties, 0), ['{}', {}]] as const)(
    'that is %s in the account changes nothing',
    async (_, empty) => {
      const { send } = world.connection;
      const wanted = members.filter((member) => member.emptyIsAbsent);
      world.connection.send = async (request) => {
        const put = (one: OptionalMember) => seen.add((one as (typeof members)[number]).label);
        const filled = <T>(answer: T): T => {
          // What was put in has members as well.
          for (const _ of [1, 2]) fill(answer, empty, wanted, put);
          return answer;
        };
        const paged = ({ items, readNext }: Pages): Pages => ({
          items: () => filled(items()),
          ...(readNext ? { readNext: async () => paged(await readNext()) } : {}),
        });
        const answer = await send(request);
        return isPages(answer) ? paged(answer) : filled(answer);
      };
      try {
        const since = world.twin.requests.length;
        const declared = await world.plan(yaml);
        expect(told(declared.plan)).toBe('');
        const { ledger } = world;
        world.ledger = { ...ledger, entries: {} };
        const found = await exported(world);
        const { plan } = await world.plan(found.yaml);
        world.ledger = ledger;
        expect(plan.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
        expect(plan.operations, told(plan)).toEqual([]);
        expect(world.writes(since)).toEqual([]);
      } finally {
        world.connection.send = send;
      }
    },
  );

  it('is put into an answer, each of them', () => {
    const never = members.filter((member) => member.emptyIsAbsent && !seen.has(member.label));
    expect(never.map(({ label }) => label)).toEqual([
      // Answers have them in every condition.
      ...['neg', 'key'].map((name) => `firewallRule conditionGroup.conditions.${name}`),
      // The platform wants it in every transform.
      'projectRoute route.transforms.target',
      // Answers call the list otherwise than requests do.
      ...['branch', 'customEnvironmentId', 'path'].map((name) => `triggerDestinations destinations.${name}`),
      // Answers have it with every value.
      'oidcPolicy claims.values.wildcards',
    ]);
    console.log(`empty members: ${seen.size} of ${concerned.length} kinds`);
  });

  it('counts where the kind says so, and nowhere else', () => {
    const counting = members.filter((member) => !member.emptyIsAbsent).map(({ label }) => label);
    expect(counting.sort()).toEqual([
      'drain schemas.version',
      'featureFlag environments.rules.conditions.rhs',
      'firewallRule conditionGroup.conditions.value',
      'projectRoute route.transforms.args',
      'segment data.rules.conditions.rhs',
    ]);
  });
});

it('a firewall that another program wrote, with an empty key in each condition, is sent no request', async () => {
  const world = await World.start({ seed: { projects: [{ name: 'web' }] } });
  try {
    const count = all ? 100 : 25;
    const ruleAt = (index: number, more: object) => ({
      name: `rule ${index}`,
      active: true,
      conditionGroup: [{ conditions: [{ type: 'path', op: 'pre', value: `/${index}`, ...more }] }],
      action: { mitigate: { action: 'deny' } },
    });
    const rules = (more: object) => Array.from({ length: count }, (_, index) => ruleAt(index, more));
    const path = `/v1/security/firewall/config?projectId=${world.twin.account.projects[0]!.id}`;
    const body = { firewallEnabled: true, rules: rules({ key: '', neg: false }) };
    expect((await send(world.twin, 'PUT', path, body)).status).toBe(200);
    const since = world.twin.requests.length;
    const firewall = { firewallEnabled: true, rules: rules({}) };
    for (const yaml of [stringify({ projects: { web: { firewall } } }), (await exported(world)).yaml]) {
      const { plan } = await world.plan(yaml);
      expect(plan.operations).toEqual([]);
      expect(plan.changes.filter(({ action }) => action !== 'adopt')).toEqual([]);
      expect(plan.changes.length).toBeGreaterThanOrEqual(count);
    }
    expect(world.writes(since)).toEqual([]);
  } finally {
    await world.stop();
  }
});
