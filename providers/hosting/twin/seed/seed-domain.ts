import { checkNoConflict, checkRecord } from '../domains/dns-rules.ts';
import { addDomain } from '../domains/domain.ts';
import { isDomainName } from '../validate.ts';
import type { SeedDomain } from './seed.ts';
import { attempt, type Loading, making, ownerOf } from './seed-loading.ts';

/** Adds a seed's domain with its records. */
export function loadDomain(loading: Loading, seed: SeedDomain, place: string): void {
  const { account, switches, now } = loading;
  const { name, owner: ownerName, records, ...fields } = seed;
  if (!isDomainName(name) || name !== name.toLowerCase()) throw new Error(`"${name}" is not a domain name.`);
  if (account.domains.some((one) => one.name === name)) throw new Error(`There are two domains "${name}".`);
  const owner = ownerOf(loading, ownerName);
  const domain = addDomain(account, owner, name, switches, now);
  Object.assign(domain, fields);
  const make = making(loading, owner);
  for (const [i, { id, creator, ...record }] of (records ?? []).entries()) {
    attempt(loading, `${place}.records[${i}]`, () => {
      const content = checkRecord({ ...record, name: record.name === '@' ? '' : record.name });
      if (creator !== 'system') checkNoConflict(content, domain.records);
      const at = make.time();
      domain.records.push({
        id: id ?? make.id('rec_', 24),
        ...content,
        creator: creator ?? account.user.id,
        createdAt: at,
        updatedAt: at,
      });
    });
  }
}
