import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, test } from 'vitest';
import { otherSwitches } from '../../providers/hosting/twin/index.ts';
import { sampled } from '../support/sweep.ts';
import { type Wanted, Zone, zoneName } from './zone.ts';

/**
 * The suite that dnscontrol holds its own provider for this platform to (MIT, StackExchange/dnscontrol). It is read from
 * beside the project, or from where TRUEUP_DNS_SUITE says, and is no part of the project.
 */
interface Suite {
  defaultTtl: number;
  domainPlaceholder: string;
  groups: Group[];
  rateLimited: Group[];
}
interface Group {
  group: string;
  index: number;
  steps: { name: string; records: SuiteRecord[] }[];
}
type SuiteRecord = Wanted & { value: string; caa?: { flags: number; tag: string; value: string } };

const beside = fileURLToPath(new URL('../../../shared/conformance/dns-suite.json', import.meta.url));
const file = resolve(process.env.TRUEUP_DNS_SUITE ?? beside);

if (existsSync(file)) runSuite(JSON.parse(readFileSync(file, 'utf8')));
else test.skip(`the peer's DNS suite is not at ${file}; TRUEUP_DNS_SUITE names another place`, () => {});

function runSuite({ groups, rateLimited, defaultTtl, domainPlaceholder }: Suite) {
  // A sixth of them here, and some of these once more; all of both with `npm run sweep`.
  const usual = sampled(groups, Math.ceil(groups.length / 12));
  const long = sampled(rateLimited, 1);
  const sample = sampled(groups, 1);
  let passed = 0;

  // The suite repeats in `value` what is structured.
  const asWanted = ({ value, caa, ...record }: SuiteRecord): Wanted => ({
    ttl: defaultTtl,
    ...record,
    ...(caa ? { value: `${caa.flags} ${caa.tag} "${caa.value}"` } : {}),
    ...(caa || record.srv || record.https ? {} : { value: value.replaceAll(domainPlaceholder, zoneName) }),
  });

  const run = async ({ steps }: Group, options: Parameters<typeof Zone.start>[0]) => {
    const zone = await Zone.start(options);
    try {
      for (const { records } of steps) {
        await zone.step(records.map(asWanted));
        passed++;
      }
    } finally {
      await zone.stop();
    }
  };

  describe("the peer's suite", () => {
    for (const group of usual) test(`${group.index} ${group.group}`, () => run(group, {}));
  });
  describe("the peer's suite, more than one page", () => {
    for (const group of long) test(`${group.index} ${group.group}`, () => run(group, {}));
  });
  describe("the peer's suite, where the platform answers otherwise", () => {
    for (const group of sample)
      test(`${group.index} ${group.group}`, () => run(group, { switches: otherSwitches }));
  });

  const count = (of: Group[]) =>
    `${of.length} groups (${of.reduce((sum, { steps }) => sum + steps.length, 0)} steps)`;
  afterAll(() =>
    console.log(
      `the peer's DNS suite: ${count(usual)}, ${count(long)} over pages, ${count(sample)} once more with other switches; ${passed} steps passed`,
    ),
  );
}
