import { type Alignment, type Fields, type LiveRow, problem } from '#kind';
import { memberKey, normalRecord } from './dns-content.ts';

/** The members of a set: all records of one name and type. */
export const membersOf = (fields: Fields | undefined) => (fields?.records ?? []) as Fields[];

/** The one record that a row of the platform is. */
export const recordOf = ({ fields }: LiveRow): Fields => membersOf(fields)[0]!;

/**
 * Returns a DNS set (the records of one name and type) in normal form, for comparisons. `parent`: the address of its
 * domain; it ends with the zone.
 */
export const normalSet = (fields: Fields, parent = ''): Fields => {
  const zone = parent.split('/').at(-1)!;
  return {
    ...fields,
    records: membersOf(fields).map((record) => normalRecord(String(fields.type), record, zone)),
  };
};

/** The most values of one name and type. Source: a refusal of the platform, "maximum number of DNS values (50)". */
export const mostValues = 50;

/** Returns the message about a set with more values than the platform allows. `note`: further words about their number. */
const tooManyValues = (address: string, count: number, note = '') =>
  `${address} has ${count} values${note}; the platform allows ${mostValues} per name and type`;

/**
 * Refuses a DNS set with undeclared live records, because these answer queries too, unless `$exclusive` deletes them. In TXT sets they are
 * left alone (`foreignIds`), because different tools usually share a TXT set; they count for the limit of values.
 */
export function settle({ desired, live, ownedIds, exclusive }: Alignment) {
  const { address, at, fields } = desired;
  const wanted = new Set(membersOf(fields).map(memberKey));
  const undeclared = (live?.rows ?? []).filter(
    (row) => !wanted.delete(memberKey(recordOf(row))) && !ownedIds.includes(row.id) && !exclusive,
  );
  if (fields.type === 'TXT') {
    const count = membersOf(fields).length + undeclared.length;
    const isOnlyTooManyTogether = count > mostValues && membersOf(fields).length <= mostValues;
    const message = tooManyValues(address, count, `, ${undeclared.length} of them undeclared`);
    const hint = 'remove some of them, here or in the account';
    return {
      desired: fields,
      foreignIds: undeclared.map(({ id }) => id),
      problems: isOnlyTooManyTogether ? [problem('plan/clash', message, { address, at, hint })] : [],
    };
  }
  if (undeclared.length === 0) return { desired: fields };
  const contents = undeclared
    .map(recordOf)
    .map(({ ttl: _, comment: __, ...content }) => JSON.stringify(content));
  const message = `${address} also has ${contents.join(', ')} in the account, which is not declared`;
  const hint = 'declare it too, or delete it in the account if nothing needs it';
  return { desired: fields, problems: [problem('dns/undeclared-members', message, { address, at, hint })] };
}

/**
 * Reports each CNAME that is not the only declared record at its name, because DNS does not allow that, and each set with more than 50
 * values. `siblings`: all declared sets of one domain.
 */
export function clashes(siblings: { address: string; fields: Fields }[]) {
  const tooLarge = siblings
    .filter(({ fields }) => membersOf(fields).length > mostValues)
    .map(({ address, fields }) => ({
      addresses: [address],
      message: tooManyValues(address, membersOf(fields).length),
      hint: 'remove some of them',
    }));
  const besideCnames = siblings
    .filter(({ fields }) => fields.type === 'CNAME')
    .flatMap((cname) => {
      const sameName = siblings.filter(
        (sibling) => sibling !== cname && sibling.fields.name === cname.fields.name,
      );
      const isAlone = sameName.length === 0 && membersOf(cname.fields).length === 1;
      if (isAlone) return [];
      const otherAddresses = sameName.map(({ address }) => address);
      return {
        addresses: [cname.address, ...otherAddresses],
        message: otherAddresses.length
          ? `${cname.address} conflicts with ${otherAddresses.join(', ')}; a CNAME allows no other record at its name`
          : `${cname.address} has several values; a name can have only one CNAME`,
        hint: 'keep one of them; at the apex, use an ALIAS instead of a CNAME',
      };
    });
  return [...tooLarge, ...besideCnames];
}
