import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { problemOf } from '../ledger/leases.ts';
import { hasTerraform } from '../report/terraform-shape.ts';
import { Shell } from '../support/cli.ts';
import { keyText } from '../support/keys.ts';
import { temporary } from '../support/ledger-places.ts';
import { startStateServer, type TestStateServer } from '../support/state-server.ts';
import { urlPlace } from '../support/store-places.ts';
import { oneStoryIn, sampled } from '../support/sweep.ts';
import { until } from '../support/until.ts';

const story = oneStoryIn(3);

const isHere = hasTerraform();
if (!isHere) console.log('skipped: Terraform is not installed, which would be a second client of the server');

/* Terraform itself as the second client of a server: what it says and hears is what we took the protocol for. */

const password = 'canary-state-password';
const authorization = `Basic ${Buffer.from(`ada:${password}`).toString('base64')}`;
const credentials = { TF_HTTP_USERNAME: 'ada', TF_HTTP_PASSWORD: password };

/** A configuration of Terraform with its state there. `wait`: its apply goes on once this file is there. */
function terraformAt({ address, isGitLab }: { address: string; isGitLab: boolean }, wait?: string) {
  const cwd = temporary();
  const waiting = wait
    ? `provisioner "local-exec" { command = "echo waiting; while [ ! -e '${wait}' ]; do sleep 0.05; done" }`
    : '';
  writeFileSync(
    join(cwd, 'main.tf'),
    `terraform {\n  backend "http" {}\n}\nresource "terraform_data" "a" {\n  input = "x"\n  ${waiting}\n}\n`,
  );
  const env = {
    PATH: process.env.PATH!,
    HOME: cwd,
    CHECKPOINT_DISABLE: '1',
    TF_IN_AUTOMATION: '1',
    TF_HTTP_ADDRESS: address,
    TF_HTTP_LOCK_ADDRESS: isGitLab ? `${address}/lock` : address,
    TF_HTTP_UNLOCK_ADDRESS: isGitLab ? `${address}/lock` : address,
    ...(isGitLab ? { TF_HTTP_LOCK_METHOD: 'POST', TF_HTTP_UNLOCK_METHOD: 'DELETE' } : {}),
    TF_HTTP_RETRY_MAX: '0',
    ...credentials,
  };
  const start = (...args: string[]) => {
    const child = spawn('terraform', args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
    const ended = new Promise<number | null>((done) => child.once('close', done));
    return { said: () => said, ended };
  };
  const run = async (...args: string[]) => {
    const { said, ended } = start(...args);
    return { status: await ended, said: said() };
  };
  return { start, run };
}

describe.skipIf(!isHere).each(sampled(['the protocol', 'GitLab'], 1))(
  'Terraform, on a server of %s',
  (sort) => {
    const isGitLab = sort === 'GitLab';
    let server: TestStateServer;
    beforeAll(async () => {
      server = await startStateServer({
        authorization,
        ...(isGitLab ? { gitLab: true, lockedStatus: 409 } : {}),
      });
    });
    afterAll(() => server.close());
    const urlOf = (name: string) =>
      `${server.url}${isGitLab ? '/api/v4/projects/7/terraform/state' : ''}/${name}`;
    const documentOf = (name: string) => server.documents.get(new URL(urlOf(name)).pathname);
    const place = (name: string) =>
      urlPlace(urlOf(name), { PATH: process.env.PATH!, ...credentials }, '/nonexistent');

    story('each is refused by what the other keeps, and leaves it as it was', async () => {
      const theirs = terraformAt({ address: urlOf('theirs'), isGitLab });
      expect((await theirs.run('init', '-input=false')).status).toBe(0);
      expect(await theirs.run('apply', '-auto-approve', '-input=false')).toMatchObject({ status: 0 });
      const state = documentOf('theirs')!;
      const documents = place('theirs').open();
      for (const work of [
        () => documents.read('ledger'),
        () => documents.write('lease', 'x', { expected: undefined }),
      ])
        expect(await problemOf(work())).toMatchObject({
          code: 'ledger/content',
          message: expect.stringContaining('the content there is a Terraform state'),
        });
      expect([documentOf('theirs'), server.locks.size]).toEqual([state, 0]);

      await place('ours').open().write('ledger', 'one', { expected: undefined });
      const ours = documentOf('ours');
      const strange = terraformAt({ address: urlOf('ours'), isGitLab });
      const init = await strange.run('init', '-input=false');
      expect([init.status, init.said]).toEqual([1, expect.stringMatching(/"version"/)]);
      expect([documentOf('ours'), server.locks.size]).toEqual([ours, 0]);
    });

    story('each is kept out by the LOCK of the other, says whose it is, and can take it away', async () => {
      const go = join(temporary(), 'go');
      const terraform = terraformAt({ address: urlOf('web'), isGitLab }, go);
      expect((await terraform.run('init', '-input=false')).status).toBe(0);
      const applying = terraform.start('apply', '-auto-approve', '-input=false');
      await until(() => applying.said().includes('waiting'));
      const shell = await new Shell().write({
        'trueup.yaml': 'stack: web\nplatform: { team: acme }\nprojects: { web: { framework: nextjs } }\n',
      });
      await shell.withTwin();
      shell.env = {
        ...shell.env,
        ...credentials,
        CI: 'true',
        TRUEUP_LEDGER: urlOf('web'),
        TRUEUP_LEDGER_KEY: keyText(),
      };
      const [{ ID, Who }] = [...server.locks.values()] as [{ ID: string; Who: string }];
      const held = await shell.run(['ledger', 'unlock']);
      expect(held.stderr).toContain(`is locked by ${Who}`);
      expect(held.stderr).toMatch(isGitLab ? /by \S+ since/ : /\(OperationTypeApply\)/);
      expect([...server.locks.values()]).toMatchObject([{ ID }]);
      writeFileSync(go, '');
      expect([await applying.ended, server.locks.size]).toEqual([0, 0]);
      server.documents.clear();
      expect((await shell.run(['apply', '--auto-approve'])).status).toBe(0);

      // What a run of ours left behind that was killed between LOCK and UNLOCK.
      const { pathname } = new URL(urlOf('web'));
      server.habits.failUnlock = 3;
      await problemOf(place('web').open().write('lease', 'x', { expected: undefined }));
      server.habits.failUnlock = 0;
      const [left] = [...server.locks.values()];
      expect([server.locks.has(pathname), left!.Who]).toEqual([true, 'ada@here']);
      const refused = await terraform.run('apply', '-auto-approve', '-input=false');
      expect(refused.status).toBe(1);
      expect(refused.said).toContain('Error acquiring the state lock');
      expect(refused.said).toContain(left!.ID);
      // It wants to read a state first.
      server.documents.clear();
      expect(await terraform.run('force-unlock', '-force', left!.ID)).toMatchObject({ status: 0 });
      expect(server.locks.size).toBe(0);
      for (const text of [held.all, applying.said(), refused.said]) expect(text).not.toContain(password);
    });
  },
);
