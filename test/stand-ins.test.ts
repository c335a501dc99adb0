import { afterAll, beforeAll, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { createStandIns } from '../src/config/read-secret-values.ts';
import { merged, overlaid, placed, sampleSeed, samples, withLeaf } from './support/samples.ts';
import { oneStoryIn, sampled } from './support/sweep.ts';
import { kinds, World } from './support/world.ts';

const story = oneStoryIn(4);

let world: World;
beforeAll(async () => {
  world = await World.start({ seed: sampleSeed });
  world.secretsOf = (configuration) => createStandIns(configuration, kinds).values;
});
afterAll(() => world.stop());

const secret = '$' + '{secret.one}';

/** What names something, or has a form that only the other fields, or the platform, know: nobody keeps that in a secret. */
const known = new Set([
  'accessGroupMember.uid',
  'aiGatewayBudget.projectId',
  'alertNotification.webhookId',
  'alias.deploymentId',
  'authToken.projectId',
  'avatar.file',
  'bulkRedirects.destination',
  'certificate.cert',
  'connector.icon',
  'deployment.customEnvironmentId',
  'deployment.deploymentId',
  'dnsRecord.value',
  'microfrontendsGroup.defaultApp',
  'microfrontendsProject.defaultRoute',
  'network.cidr',
  'projectDomain.customEnvironmentId',
  'projectDomain.redirect',
  'projectMember.uid',
  'protectionBypass.note',
  'sandbox.mounts./data.drive',
]);
const isChoice = (message: string) => /allowed (values|shapes)/.test(message);

story('a stand-in goes wherever a kind takes a secret, and the twin takes it', async () => {
  const taken: string[] = [];
  const refused: string[] = [];
  const secrets = [
    ...['projectEnvVar.value', 'sharedEnvVar.value', 'project.passwordProtection.password'],
    ...['drain.delivery.secret', 'webhook.url'],
  ];
  const leaves = Object.entries(samples).flatMap(([kind, { leaves }]) =>
    Object.entries(leaves).flatMap(([path, [one]]) => (typeof one === 'string' ? [{ kind, path }] : [])),
  );
  const isSecret = ({ kind, path }: { kind: string; path: string }) => secrets.includes(`${kind}.${path}`);
  const others = sampled(
    leaves.filter((leaf) => !isSecret(leaf)),
    30,
  );
  for (const { kind, path } of [...leaves.filter(isSecret), ...others]) {
    const sample = samples[kind]!;
    const [, , beside = {}] = sample.leaves[path]!;
    const block = withLeaf(merged(overlaid(sample.base, beside)), path, secret);
    const yaml = stringify({
      secrets: { one: { env: 'NOT_SET_ANYWHERE' } },
      ...placed(sample, 'alone', block),
    });
    world.clear();
    const { diagnostics, desired, usedSecrets } = await world.configure(yaml);
    // Not every text can be a secret: references, names and the like must be known at once.
    if (diagnostics.some(({ severity }) => severity === 'error') || usedSecrets.size === 0) continue;
    const said = createStandIns({ desired, usedSecrets }, kinds).diagnostics;
    if (!known.has(`${kind}.${path}`)) expect(said, `${kind}.${path}`).toHaveLength(1);
    try {
      await world.converge(yaml);
      taken.push(`${kind}.${path}`);
    } catch (error) {
      const { message } = error as Error;
      if (!known.has(`${kind}.${path}`) && !isChoice(message)) refused.push(`${kind}.${path}: ${message}`);
    }
  }
  expect(refused).toEqual([]);
  expect(taken).toEqual(expect.arrayContaining(secrets));
});

const environment = { production: 'canary-of-a-real-secret' };
const yaml = `
secrets: { production: { env: production }, other: { file: no-such-file }, third: { command: [no-such-program] } }
projects:
  web:
    env: { A: "${secret.replace('one', 'production')}", B: "x-${secret.replace('one', 'other')}-y" }
    protectionBypass: { ci: { secret: "${secret.replace('one', 'third')}", isEnvVar: true } }
`;

it('a real secret is not read where stand-ins are used, and each name has a stand-in of its own, always the same', async () => {
  world.clear();
  world.env = environment;
  const configuration = await world.configure(yaml);
  const first = createStandIns(configuration, kinds);
  const texts = [...first.values.values()].map((value) => value.reveal());
  expect(new Set(texts).size).toBe(3);
  expect(texts.join()).not.toContain('canary');
  expect([...createStandIns(configuration, kinds).values.values()].map((value) => value.reveal())).toEqual(
    texts,
  );
  expect(first.values.get('third')!.reveal()).toMatch(/^[A-Za-z0-9]{32}$/);
  expect(first.diagnostics.map(({ code, secret }) => [code, secret?.name])).toEqual(
    ['other', 'production', 'third'].map((name) => ['secret/stand-in', name]),
  );
  await world.converge(yaml);
  expect(JSON.stringify([world.twin.account, world.twin.requests])).not.toContain('canary');
  world.env = {};
});

it('what no stand-in satisfies is said', async () => {
  const configuration = await world.configure(`
secrets: { both: { env: NOT_SET_ANYWHERE } }
projects: { web: { protectionBypass: { ci: { secret: "${secret.replace('one', 'both')}", isEnvVar: true } } } }
webhooks: { hook: { url: "${secret.replace('one', 'both')}", events: [deployment.created], $secretTo: discard } }
`);
  const codes = createStandIns(configuration, kinds).diagnostics.map(({ code }) => code);
  expect(codes).toEqual(['secret/stand-in-misfit', 'secret/stand-in']);
});
