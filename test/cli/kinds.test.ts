import { describe, expect, test } from 'vitest';
import { catalog } from '../../providers/hosting/catalog.ts';
import { extraOperations } from '../../providers/hosting/extra-operations.ts';
import { kinds } from '../../providers/hosting/kinds/index.ts';
import { Shell } from '../support/cli.ts';

const run = (...args: string[]) => new Shell().run(['kinds', ...args]);

describe('trueup kinds', () => {
  test('lists every kind with its place, without a configuration or an account', async () => {
    const { status, stdout, stderr } = await run();
    expect([status, stderr]).toEqual([0, '']);
    for (const { name, section } of kinds)
      expect(stdout).toMatch(new RegExp(`^ *\\S*\\b${section}\\s+${name}\\b`, 'm'));
    expect(stdout).toMatch(/^ {2}projects\.NAME\.env +projectEnvVar\s+An environment variable/m);
    expect(stdout).not.toContain('\u001b');
  });

  test.each(['DNSRecord', 'records', 'domains.NAME.records'])('finds %s', async (name) => {
    const { status, stdout } = await run(name);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^NAME\n {2}dnsRecord\n/);
  });

  test('a page tells place, fields, example and requests', async () => {
    const { stdout } = await run('projectEnvVar');
    expect(stdout).toContain('projects/NAME/env/KEY@TARGET');
    expect(stdout).toContain('declares  projects/web/env/LOG_LEVEL@production');
    for (const line of [
      'list    GET /v10/projects/{project}/env?decrypt=true',
      'create  POST /v10/projects/{project}/env',
      'update  PATCH /v9/projects/{project}/env/{id}',
      'delete  DELETE /v1/projects/{project}/env',
    ])
      expect(stdout).toContain(`  ${line}\n`);
  });

  test('colour is asked for', async () => {
    const shell = new Shell();
    shell.env.FORCE_COLOR = '1';
    expect((await shell.run(['kinds', 'project'])).stdout).toContain('\u001b[1mFIELDS');
  });

  test('the same as JSON', async () => {
    const list = JSON.parse((await run('--json')).stdout);
    expect(list.kinds.map(({ kind }: { kind: string }) => kind).sort()).toEqual(
      kinds.map(({ name }) => name).sort(),
    );
    const page = JSON.parse((await run('domain', '--json')).stdout);
    expect(page).toMatchObject({
      formatVersion: '1.0',
      name: 'domain',
      path: 'domains.NAME',
      removal: { outcome: 'released' },
    });
    expect(page.fields.map(({ name }: { name: string }) => name)).toEqual(
      Object.keys(kinds.find(({ name }) => name === 'domain')!.fields),
    );
  });

  test('a name that is none is refused, with the one that was meant', async () => {
    const { status, stdout, stderr } = await run('projectEnvVa');
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('there is no kind `projectEnvVa`');
    expect(stderr).toContain('did you mean `projectEnvVar`?');
    expect((await run('nothing-like-it')).stderr).toContain('`trueup kinds` lists all');
  });
});

describe('trueup kinds --coverage', () => {
  test('has every operation of the API once, claimed or not', async () => {
    const { status, stdout } = await run('--coverage');
    expect(status).toBe(0);
    const lines = stdout.split('\n').filter((line) => /^ {2}[A-Z]+ +\//.test(line));
    expect(lines).toHaveLength(catalog.length + extraOperations.length);
    const outside = stdout.slice(stdout.indexOf('outside the published catalog'));
    expect(outside).toMatch(/PATCH +\/v1\/projects\/\{idOrName\}\/crons +crons \(update\): known from the/);
    expect(stdout).toMatch(/POST +\/v11\/projects +project \(create\)/);
    expect(stdout).toMatch(/GET +\/v8\/artifacts\/status +get cacheStatus/);
    expect(stdout).toMatch(/POST +\/v1\/projects\/\{projectId\}\/pause +run pause/);
    expect(stdout).toMatch(/POST +\/v8\/artifacts\/events +trueup api: used by build\s/);
    // No row without its way: where `trueup api` alone calls it, there is the reason.
    expect(stdout).not.toMatch(/trueup api$/m);
    expect(stdout).toMatch(
      /^250 of 250 operations that can be declared are claimed by kinds; of the other 187, 126 are actions, lookups, or read by every run\. `trueup api` can call all 437\.$/m,
    );
  });

  test('the same as JSON, with totals that add up', async () => {
    const { total, claimed, groups } = JSON.parse((await run('--coverage', '--json')).stdout);
    const sum = (name: string) =>
      groups.reduce((all: number, group: Record<string, number>) => all + group[name]!, 0);
    expect([sum('total'), sum('claimed')]).toEqual([total, claimed]);
    expect(total).toBe(catalog.length);
    console.log(`coverage: ${claimed} of ${total} operations are claimed`);
  });

  test('takes no name', async () => {
    const { status, stderr } = await run('domain', '--coverage');
    expect(status).toBe(1);
    expect(stderr).toContain('takes no name');
  });
});
