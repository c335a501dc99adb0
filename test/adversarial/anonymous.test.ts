import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';

/** Each name and value has a word of its own, which is in no documentation. */
const configuration = `stack: quokka-stack
platform: { team: wombat }
secrets: { numbat: { env: BILBY_URL } }
projects:
  dingo-site:
    buildCommand: "make kookaburra # 'cassowary' \\"potoroo\\""
    rootDirectory: apps/bandicoot
    domains: { www.pademelon.co.uk: {}, pademelon.co.uk: { redirect: www.pademelon.co.uk } }
    env:
      TAIPAN_URL: { value: 'https://user:echidna@wallaby.example/galah?q=brolga&r=%65%6D%75%77%72%65%6E&s=%E6%9D%B1%E4%BA%AC%2F%e9&t=%2562%2569%256C%2562%2579%3A%252531%252532%252533', comment: about the jabiru }
      NEXT_PUBLIC_GOANNA: { value: lorikeet@currawong.org, target: [preview], gitBranch: feature/bettong }
      DB: { value: '\${secret.numbat}', type: sensitive, target: [production] }
      CERT: "-----BEGIN XYZ-----\\nbWFnbm9saWFzZWNyZXQ=\\nTAIPANßÄrger Kängeruh 4111222233334444"
domains:
  pademelon.co.uk:
    records:
      - { name: dunnart, type: CNAME, value: kowari.taipan.net }
      - { name: '@', type: TXT, value: 'v=spf1 ip4:93.184.216.34 include:_spf.yabby.com' }
      - { name: drongo, type: A, value: 93.184.216.99 }
      - { name: drongo, type: AAAA, value: '2606:2800:220:1:248:1893:25c8:1946' }
`;
const canaries = [
  ...['quokka', 'wombat', 'numbat', 'bilby', 'dingo', 'kookaburra', 'cassowary', 'potoroo', 'bandicoot'],
  ...['pademelon', 'taipan', 'echidna', 'wallaby', 'galah', 'brolga', 'jabiru', 'goanna', 'lorikeet'],
  ...['currawong', 'bettong', 'magnolia', 'bWFnbm9saWFzZWNyZXQ', 'kängeruh', 'rger', '4111222233334444'],
  ...['dunnart', 'kowari', 'yabby', 'drongo', '93.184', '2606', '25c8', 'marsupial', 'rosella', 'hunter2'],
  ...['%65%6D', 'emuwren', '%E6%9D', '東', '%E4%BA', '%e9', '2562', '256C', '252531'],
];

it('An anonymous snapshot and a bug report have no name and no value of the account, of the configuration or of the machine.', async () => {
  const shell = await new Shell().write({ 'rosella.yaml': configuration });
  await shell.withTwin({
    team: { slug: 'wombat', name: 'The Marsupials' },
    domains: [{ name: 'pademelon.co.uk' }],
    projects: [{ name: 'marsupial' }],
  });
  shell.env = { ...shell.env, BILBY_URL: 'postgres://hunter2-hunter2', TRUEUP_ALLOW_ENV: 'BILBY_URL' };
  const flags = ['-f', 'rosella.yaml', '--ledger', 'rosella.json'];
  const applied = await shell.run(['apply', ...flags, '--auto-approve', '--no-canary']);
  expect(applied.status, applied.all).toBe(0);
  await shell.write({ 'rosella.yaml': configuration.replace('make kookaburra', 'make platypus') });
  const run = await shell.run(['doctor', ...flags, '--bug', 'bug', '--auto-approve']);
  expect(run.status, run.all).toBe(0);
  // The report contains the anonymous snapshot.
  const text = gunzipSync(readFileSync(join(shell.folder, 'bug'))).toString();
  const isIn = (canary: string) => text.toLowerCase().includes(canary.toLowerCase());
  expect([...canaries, 'platypus', shell.folder].filter(isIn)).toEqual([]);
  expect(text.split(/[^\w-]+/)).not.toContain(hostname());
  expect(text.split(/\D+/)).not.toContain(new URL(shell.env.TRUEUP_BASE_URL!).port);
  expect(JSON.parse(text)).toMatchObject({ isSamePlan: true, snapshot: { anonymous: true } });
});
