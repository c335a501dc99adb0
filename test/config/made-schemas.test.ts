import { expect } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import type { Provider } from '../../src/kind/provider.ts';
import { Shell } from '../support/cli.ts';
import { oneRowIn } from '../support/sweep.ts';

/** Returns the provider with kinds that note in `used` whose schemas are read, since reading makes them. */
function noting(used: Set<string>): Provider {
  const notingKind: ProxyHandler<Provider['kinds'][number]> = {
    get(kind, member) {
      if (member === 'fields') used.add(kind.name);
      return Reflect.get(kind, member);
    },
  };
  return { ...hosting, kinds: hosting.kinds.map((kind) => new Proxy(kind, notingKind)) };
}

const web = 'projects: { web: { env: { LOG_LEVEL: info } } }';
const variables = ['project', 'projectEnvVar'];
/** In a pattern, the names of a section `projects` are spelled as all kinds with such a section want them. */
const matched = [...variables, 'accessGroupProject', 'connectorProject', 'microfrontendsProject'];

/** Schemas take longer to make than a small configuration takes to read, so a run makes those of the kinds that it meets. */
oneRowIn(5)([
  ['a project with a variable', web, ['validate'], variables],
  ['only a domain', 'domains: { example.com: {} }', ['validate'], ['domain']],
  ['a value of a variable', `variables: { a: { default: b } }\n${web}`, ['validate'], variables],
  [
    'a secret',
    `secrets: { a: {} }\nprojects: { web: { env: { A: '\${secret.a}' } } }`,
    ['validate'],
    variables,
  ],
  [
    'a loop',
    "variables: { a: { default: { b: 1 } } }\nprojects: { '${each.key}': { $each: '${var.a}' } }",
    ['validate'],
    ['project'],
  ],
  [
    'a template',
    'templates: { a: { $kind: project, framework: nextjs } }\nprojects: { web: { $use: a } }',
    ['validate'],
    ['project'],
  ],
  ['a patch', `${web}\npatches: [{ $at: projects/w*, env: { A: b } }]`, ['validate'], matched],
  [
    'a condition',
    `${web}\nsharedEnv: { A: { $when: false, value: b } }`,
    ['validate'],
    [...variables, 'sharedEnvVar'],
  ],
  [
    'a reference',
    'projects: { web: { domains: { www.example.com: {} } } }',
    ['validate'],
    ['project', 'projectDomain'],
  ],
  ['a removal', `${web}\nremoved: [{ at: projects/web/env/A, delete: false }]`, ['validate'], matched],
  ['a plan', web, ['plan'], variables],
  ['a plan of one address', web, ['plan', '--target', 'projects/web/env/*'], matched],
  ['a plan of one project', web, ['plan', '--target', 'projects/web'], matched],
  ['a plan without one variable', web, ['plan', '--exclude', 'projects/web/env/LOG_LEVEL'], matched],
  ['an apply', web, ['apply', '--auto-approve'], variables],
])('of %s, only the schemas of its kinds are made', async (_, sections, args, kinds) => {
  const used = new Set<string>();
  const shell = await new Shell().write({
    'trueup.yaml': `stack: demo\nplatform: { team: acme }\n${sections}\n`,
  });
  shell.env.TRUEUP_SECRET_a = 'b';
  await shell.withTwin();
  shell.provider = noting(used);
  // A snapshot needs the schemas of all kinds.
  shell.replays = false;
  const { status, all } = await shell.run(args);
  expect([status, all]).toEqual([0, all]);
  expect([...used].sort()).toEqual([...kinds].sort());
});
