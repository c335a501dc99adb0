import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { refusal, send } from './client.ts';

let twin: Twin;
afterEach(() => twin.close());

const certs = '/v8/certs';

it('issues certificates for names in domains of the owner, several for the same ones, and renews them', async () => {
  const domains = [{ name: 'example.com' }, { name: 'elsewhere.com', zone: false }];
  const projects = [{ name: 'web', domains: [{ name: 'www.foreign.com' }] }];
  twin = await startTwin({ seed: { domains, projects } });
  const issue = (...cns: string[]) => send(twin, 'POST', certs, { cns });
  const one = await issue('Example.com', '*.example.com');
  expect(one.body).toMatchObject({ cns: ['example.com', '*.example.com'], autoRenew: true });
  expect((await issue('example.com', '*.example.com')).status).toBe(200);
  expect((await issue('www.foreign.com')).status).toBe(200);
  expect(refusal(await issue('www.none.com'))).toEqual([400, 'configuration_error']);
  expect(refusal(await issue('*.elsewhere.com'))).toEqual([400, 'wildcard_not_allowed']);
  expect(refusal(await issue())).toEqual([400, 'bad_request']);
  const { body } = await send(twin, 'GET', `${certs}?limit=2`);
  expect([body.certs.length, body.pagination.count]).toEqual([2, 2]);
  const rest = await send(twin, 'GET', `${certs}?limit=2&until=${body.pagination.next}`);
  expect(rest.body.certs).toEqual([one.body]);
  expect((await send(twin, 'GET', `${certs}/${one.body.id}`)).body).toEqual(one.body);
  expect((await send(twin, 'DELETE', `${certs}/${one.body.id}`)).body).toEqual({});
  expect(refusal(await send(twin, 'GET', `${certs}/${one.body.id}`))).toEqual([404, 'not_found']);
});

it('validates names in its time: until then whoever asks is told to ask again, and it may fail', async () => {
  let time = Date.parse('2026-01-01T00:00:00Z');
  const seed = { domains: [{ name: 'example.com' }], issuing: { seconds: 30, fails: 1 } };
  twin = await startTwin({ seed, now: () => time });
  const issue = async () => {
    const answer = await send(twin, 'POST', certs, { cns: ['www.example.com'] });
    return answer.status === 200 ? 'issued' : refusal(answer);
  };
  const running = [449, 'validation_running'];
  expect(await issue()).toEqual(running);
  time += 20_000;
  expect(await issue()).toEqual(running);
  time += 10_000;
  expect(await issue()).toEqual([400, 'configuration_error']);
  // The next one goes well.
  expect(await issue()).toEqual(running);
  expect(twin.account.certificates).toEqual([]);
  time += 30_000;
  expect(await issue()).toBe('issued');
});

const openssl = '/usr/bin/openssl';

it.skipIf(!existsSync(openssl))(
  'takes an uploaded certificate for the names in it, keeps no part of it, and sees whether the key is its own',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'trueup-certificate-'));
    const made = (name: string) => {
      const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)];
      const names = 'subjectAltName=DNS:shop.example.com,DNS:*.shop.example.com';
      const words = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
      const about = ['-subj', '/CN=shop', '-addext', names, '-keyout', key, '-out', cert];
      execFileSync(openssl, [...words, ...about], { stdio: 'pipe' });
      return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8'), ca: 'the issuer' };
    };
    const [one, other] = [made('one'), made('other')];
    rmSync(folder, { recursive: true });
    twin = await startTwin();
    const upload = (body: unknown) => send(twin, 'PUT', certs, body);
    const { status, body } = await upload(one);
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ cns: ['shop.example.com', '*.shop.example.com'], autoRenew: false }),
    ]);
    const shown = ['autoRenew', 'cns', 'createdAt', 'expiresAt', 'id', 'created', 'expiration', 'uid'];
    expect(Object.keys(body).sort()).toEqual(shown.sort());
    expect(JSON.stringify(twin.account)).not.toContain('PRIVATE KEY');
    expect(refusal(await upload({ ...one, key: other.key }))).toEqual([400, 'bad_request']);
    expect((await upload({ ...one, key: other.key, skipValidation: true })).status).toBe(200);
    expect(refusal(await upload({ ...one, cert: 'none', skipValidation: true }))).toEqual([
      400,
      'bad_request',
    ]);
  },
);
