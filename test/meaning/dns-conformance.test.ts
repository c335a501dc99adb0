import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { accountOf, findingsIn } from './dns-view.ts';

/*
 * The zones of dnscontrol's suite for this platform (MIT, StackExchange/dnscontrol), read from beside the project, or from where TRUEUP_DNS_SUITE
 * says. It is no part of the project. All are healthy.
 */
interface SuiteRecord {
  value: string;
  caa?: { flags: number; tag: string; value: string };
  srv?: object;
  https?: object;
}

const beside = fileURLToPath(new URL('../../../shared/conformance/dns-suite.json', import.meta.url));
const file = resolve(process.env.TRUEUP_DNS_SUITE ?? beside);

const asDeclared = ({ value, caa, ...record }: SuiteRecord) => {
  if (record.srv || record.https) return record;
  return {
    ...record,
    value: caa
      ? `${caa.flags} ${caa.tag} "${caa.value}"`
      : value.replaceAll('**current-domain**', 'example.com'),
  };
};

const yamlOf = (records: readonly SuiteRecord[], projects: string) =>
  `${projects}domains: { example.com: { records: ${JSON.stringify(records.map(asDeclared)).replaceAll('${', () => '$${')} } }\n`;

it.skipIf(!existsSync(file))('the zones of the suite have no fault', async () => {
  const { groups } = JSON.parse(readFileSync(file, 'utf8')) as {
    groups: { group: string; steps: { name: string; records: SuiteRecord[] }[] }[];
  };
  const steps = groups.flatMap(({ group, steps }) => steps.map(({ records }) => ({ group, records })));
  const faults = new Set<string>();
  for (const { group, records } of steps) {
    // A project without domains, so that takeovers are judged.
    const account = await accountOf(yamlOf(records, 'projects: { web: {} }\n'));
    for (const view of [account, { ...account, knows: () => 'declared' as const }])
      for (const { code, subject, severity } of findingsIn(view))
        faults.add([group, severity, code, subject].join(' '));
  }
  expect([...faults]).toEqual([]);
  expect(steps.length).toBeGreaterThan(60);
});
