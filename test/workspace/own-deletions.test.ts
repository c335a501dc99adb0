import { expect, it } from 'vitest';
import type { Twin } from '../../providers/hosting/twin/index.ts';
import { oneStoryIn, sampled } from '../support/sweep.ts';
import { workplace } from './workplace.ts';

const story = oneStoryIn(4);

const stackFile = (stack: string, body: string) => `stack: ${stack}\nplatform: { team: acme }\n${body}`;
const existing = (...names: string[]) => names.map((name) => `${name}: { $existing: true }`).join(', ');
const owner = [
  'projects: { one: {}, three: {}, two: {} }',
  'projects: { one: {}, three: {} }\nremoved: [{ at: projects/two, delete: true }]',
];
const group = (...names: string[]) =>
  `accessGroups: { team: { $allow: [remove-access], projects: { ${names.map((name) => `${name}: { role: ADMIN }`).join(', ')} } } }`;
const shared = (value: string, ...names: string[]) =>
  `sharedEnv: { LEVEL: { value: ${value}, target: [production], projectId: [${names.join(', ')}] } }`;
const drain = (...names: string[]) =>
  `drains: { logs: { name: logs, delivery: { type: http, endpoint: "https://a.example.com", encoding: json, headers: {} }, schemas: { log: { version: v1 } }, projectIds: [${names.join(', ')}] } }`;
const referring = (body: (...names: string[]) => string, ...after: string[]) => [
  `projects: { ${existing('one', 'two', 'three')} }\n${body('one', 'two')}`,
  `projects: { ${existing('one', 'three')} }\n${body(...after)}`,
];

/** What two stacks declare at first and then. The second one needs the first one, which deletes an object. */
interface Story {
  owner?: string[];
  other: string[];
  /** The stacks are in no order, and so are applied at the same time. */
  isUnordered?: true;
}
const stories: Record<string, Story> = {
  'an object that refers to it is deleted, too': { other: referring(group, 'one') },
  'an object no longer refers to it, and another field changes': {
    other: [
      referring((...names) => shared('debug', ...names), 'one')[0]!,
      referring((...names) => shared('info', ...names), 'one')[1]!,
    ],
  },
  'an object refers to another one instead': {
    other: referring((...names) => shared('debug', ...names), 'one', 'three'),
  },
  'an object only stops referring to it': { other: referring(drain, 'one') },
  'several changes of one request refer to it, and no stack needs the other': {
    isUnordered: true,
    other: [
      `projects: { ${existing('one', 'two')} }\nsharedEnv:\n  A: { value: a, target: [production], projectId: [one, two] }\n  B: { value: b, target: [production], projectId: [two] }\n  C: { value: c, target: [production] }`,
      `projects: { ${existing('one')} }\nsharedEnv:\n  A: { value: a, target: [production], projectId: [one] }\n  B: { value: b, target: [production], projectId: [] }\n  C: { value: d, target: [production] }`,
    ],
  },
  'the other stack creates the domain that the first one deletes': {
    owner: ['projects: { one: { domains: { www.example.org: {} } } }', 'projects: { one: {} }'],
    other: ['projects: { shop: {} }', 'projects: { shop: { domains: { www.example.org: {} } } }'],
  },
  'the other stack refers to an object that the first one creates': {
    owner: ['projects: { one: {}, two: {} }', 'projects: { one: {}, two: {}, three: {} }'],
    other: [
      `projects: { ${existing('one', 'two')} }\n${group('one', 'two')}\n${shared('debug', 'one', 'two')}`,
      `projects: { ${existing('one', 'two', 'three')} }\n${group('one', 'two', 'three')}\n${shared('debug', 'one', 'three')}`,
    ],
  },
  'the first stack renames a project that the other stack refers to': {
    owner: ['projects: { one: {}, two: {} }', 'projects: { one: {}, 2nd: { $was: two } }'],
    other: [
      `projects: { ${existing('one', 'two')} }\n${shared('debug', 'one', 'two')}`,
      `projects: { ${existing('one')}, 2nd: { $existing: true, $was: two } }\n${shared('info', 'one', '2nd')}`,
    ],
  },
  'the first stack renames a project that the other stack no longer refers to': {
    owner: ['projects: { one: {}, two: {} }', 'projects: { one: {}, 2nd: { $was: two } }'],
    other: [
      `projects: { ${existing('one', 'two')} }\n${shared('debug', 'one', 'two')}`,
      `projects: { ${existing('one')} }\n${shared('debug', 'one')}`,
    ],
  },
  'the other stack takes an object over': {
    owner: ['projects: { one: {}, two: { framework: vite } }', 'projects: { one: {} }'],
    other: [
      `projects: { ${existing('one')} }`,
      `projects: { ${existing('one')}, two: { framework: astro, $from: owner } }`,
    ],
  },
  'a variable was only in the deleted environment': {
    owner: ['projects: { one: { customEnvironments: { qa: {} } } }', 'projects: { one: {} }'],
    other: [
      'projects: { one: { $existing: true, customEnvironments: { qa: { $existing: true } }, env: { A: [{ value: x, customEnvironmentIds: [qa] }] } } }',
      'projects: { one: { $existing: true } }',
    ],
  },
  'the first stack takes an object over': {
    owner: ['projects: { one: {} }', 'projects: { one: {}, two: { framework: astro, $from: other } }'],
    other: [`projects: { ${existing('one')}, two: { framework: vite } }`, `projects: { ${existing('one')} }`],
  },
};

async function begun({ owner: own = owner, other, isUnordered }: Story) {
  const files = (at: number) => ({
    'owner/trueup.yaml': stackFile('owner', own[at]!),
    'other/trueup.yaml': stackFile('other', other[at]!),
  });
  const place = await workplace({
    ...files(0),
    'trueup.workspace.yaml': 'stacks: [owner, { path: other, needs: [owner] }]\n',
  });
  const first = await place.shell.run(['apply', '--all', '--auto-approve', '--settle', '0']);
  expect(first.status, first.all).toBe(0);
  await place.shell.write({
    ...files(1),
    ...(isUnordered ? { 'trueup.workspace.yaml': 'stacks: [owner, other]\n' } : {}),
  });
  return place;
}

type Place = Awaited<ReturnType<typeof begun>>;

/** Applies both stacks, at once or from a file of approved plans. */
async function applied({ shell }: Place, isSaved: boolean) {
  if (isSaved) {
    const planned = await shell.run(['plan', '--all', '--out', 'plans.json']);
    expect(planned.status, planned.all).toBe(0);
  }
  return shell.run(['apply', ...(isSaved ? ['plans.json'] : ['--all', '--auto-approve']), '--settle', '0']);
}

/** Calls `meddle` once, as soon as the first stack has deleted something. */
function afterDeletion({ shell, twin }: Place, meddle: (twin: Twin) => void): void {
  const { provider } = shell;
  let left = 1;
  shell.provider = {
    ...provider,
    connect: async (options) => {
      const connection = await provider.connect(options);
      return {
        ...connection,
        send: async (request, confirm) => {
          const answer = await connection.send(request, confirm);
          if (request.endpoint.startsWith('DELETE') && left-- > 0) meddle(twin);
          return answer;
        },
      };
    },
  };
}

/** What somebody else changes at the moment of the deletion: two states of the other stack, and the change. */
const foreignChanges: Record<string, [other: string[], meddle: (twin: Twin) => void]> = {
  'the value of a variable': [
    referring((...names) => shared('debug', ...names), 'one'),
    ({ account }) => void Object.assign(account.sharedEnv[0]!, { value: 'trace' }),
  ],
  'another reference of the same list': [
    referring(drain, 'one'),
    ({ account }) => {
      const three = account.projects.find(({ name }) => name === 'three')!;
      Object.assign(account.drains[0]!, { projectIds: [three.id] });
    },
  ],
  'an object that referred to it, and is gone': [
    referring((...names) => `${group(...names)}\n${shared('debug', ...names)}`, 'one'),
    ({ account }) => void account.sharedEnv.splice(0),
  ],
};

/** Each name with both ways to apply: at once, and from saved plans. */
const bothWays = (rows: Record<string, unknown>) =>
  Object.keys(rows).flatMap((name) => [false, true].map((isSaved) => ({ name, isSaved })));

it.each(sampled(bothWays(stories), 1))(
  'a stack deletes what another stack of the run refers to: $name (saved: $isSaved)',
  async ({ name, isSaved }) => {
    const place = await begun(stories[name]!);
    const ran = await applied(place, isSaved);
    expect([ran.status, ran.stderr], ran.all).toEqual([
      0,
      expect.stringContaining('2 of 2 stacks are up to date.'),
    ]);
    const again = await place.shell.run(['plan', '--all', '--detailed-exitcode']);
    expect(again.status, again.all).toBe(0);
  },
);

it.each(sampled(bothWays(foreignChanges), 1))(
  'what somebody else changes at the same time is refused: $name (saved: $isSaved)',
  async ({ name, isSaved }) => {
    const [other, meddle] = foreignChanges[name]!;
    const place = await begun({ other });
    afterDeletion(place, meddle);
    const { status, stderr } = await applied(place, isSaved);
    const refused = /other: Error: (the account changed|plans\.json, other no longer matches)/;
    expect([status, stderr]).toEqual([1, expect.stringMatching(refused)]);
    expect(stderr).toContain('1 of 2 stacks are up to date.');
  },
);

story('approved plans are finished although the run was stopped after the deletion', async () => {
  const place = await begun(stories['an object that refers to it is deleted, too']!);
  const { twin, shell } = place;
  afterDeletion(place, () => {
    twin.setFaults({
      faults: [{ at: { operation: 'listAccessGroupProjects' }, do: { type: 'status', status: 403 } }],
    });
  });
  const stopped = await applied(place, true);
  expect([stopped.status, stopped.stderr]).toEqual([
    1,
    expect.stringContaining('1 of 2 stacks are up to date.'),
  ]);
  twin.setFaults({ faults: [] });
  const ran = await shell.run(['apply', 'plans.json', '--settle', '0']);
  expect([ran.status, ran.stderr], ran.all).toEqual([
    0,
    expect.stringContaining('2 of 2 stacks are up to date.'),
  ]);
});
