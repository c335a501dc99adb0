import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { harOf, type Recorded } from '../doctor/recording.ts';
import { Shell } from '../support/cli.ts';

const team = '?teamId=team_canary&slug=canary-slug&canary=canary';
/** A body without ids: a request with the id of an unknown object is not sent to the twin. */
const sent = { name: 'canary-sent', canary: 'canary', 'canary-member': { canary: ['canary'] } };
const everywhere = {
  ...{ id: 'canary-id', uid: 'canary-uid', name: 'canary', key: 'CANARY', value: 'canary', slug: 'canary' },
  ...{ 'canary-member': { canaryInner: ['canary', { canary: 1 }] }, canary: 'canary', type: 'canary' },
  target: ['canary'],
};
const error = (code: unknown) => ({ error: { code, message: 'canary', canary: 'canary' } });

/** Requests with a canary in each place, answered with success and with refusals. */
const requests: Recorded[] = [
  { request: ['GET', `/v10/projects${team}`], status: 200, body: { projects: [everywhere, everywhere] } },
  { request: ['GET', `/v9/projects/canary/env${team}`], status: 200, body: { envs: [everywhere] } },
  {
    request: ['GET', `/v5/domains/canary.example/records${team}`],
    status: 200,
    body: { records: [everywhere] },
  },
  { request: ['POST', `/v11/projects${team}`, { name: 'canary-new' }], status: 200, body: everywhere },
  { request: ['POST', `/v11/projects${team}`, sent], status: 400, body: error('canary-1') },
  { request: ['POST', `/v11/projects${team}`, sent], status: 400, body: error({ canary: 1 }) },
  { request: ['POST', `/v11/projects${team}`, sent], status: 409, body: 'canary' },
  { request: ['PATCH', `/v9/projects/canary-id${team}`, sent], status: 200, body: [everywhere] },
  { request: ['GET', `/v1/global-config/canary/items${team}`], status: 200, body: { canary: everywhere } },
  {
    request: ['POST', `/v1/global-config${team}`, { slug: 'canary', items: everywhere }],
    status: 200,
    body: everywhere,
  },
  { request: ['GET', '/canary/%E0%A4%A/canary'], status: 200, body: everywhere },
  { request: ['DELETE', `/v9/projects/canary/%E0%A4%A${team}`], status: 500, body: everywhere },
];
const headers = { 'x-canary': 'canary', 'set-cookie': 'canary=canary' };
const exchanges = requests.map((exchange) => ({ ...exchange, headers }));

it('Comparing a recording with the twin shows and stores no value, name, token or cookie of it, except error codes of letters and underscores.', async () => {
  const shell = new Shell();
  writeFileSync(join(shell.folder, 'recording.har'), harOf(exchanges));
  const command = ['doctor', '--calibrate', 'recording.har', '--verbose'];
  const runs = [await shell.run(command), await shell.run([...command, '--json', '--report', 'report.json'])];
  const report = readFileSync(join(shell.folder, 'report.json'), 'utf8');
  const { calibration } = JSON.parse(report);
  expect(calibration.recorded).toBe(exchanges.length);
  expect(calibration.agrees + calibration.differs + calibration.notComparable).toBe(exchanges.length);
  expect(calibration.differs).toBeGreaterThan(2);
  for (const text of [...runs.map(({ all }) => all), report]) expect(text).not.toMatch(/canary/i);
  expect(readdirSync(shell.folder).toSorted()).toEqual(['recording.har', 'report.json']);
});
