import path from 'node:path';
import { catalog } from '../../providers/hosting/catalog.ts';
import { extraOperations } from '../../providers/hosting/extra-operations.ts';
import { headerKeys } from '../../src/config/read-header.ts';
import { comparedFields } from '../../src/kind/compare.ts';
import { canDo, kindsOf, lineage, listItemsOf } from '../../src/kind/define-kind.ts';
import type { Kind } from '../../src/kind/kind.ts';
import { docOf, traitsOf } from '../../src/kind/traits.ts';
import { writeRequests } from '../../src/kind/write.ts';
import { operationOf } from '../../src/manual/coverage.ts';
import { requestsOf } from '../../src/manual/kind-requests.ts';
import { folder, type Given, kebab } from './given.ts';

const index = `${folder}/index.ts`;
const operations = [...catalog, ...extraOperations];

/** Where the kind and its file stand: in the index, behind what it is in, under a name and a section of its own. */
export function placeFindings(kind: Kind, { kinds, files }: Given): string[] {
  const { name, parent, section } = kind;
  const found: string[] = [];
  const file = files.get(name);
  if (file === undefined)
    found.push(
      `no file in ${folder} has \`export const ${name} = defineKind({\`: it is exported under its name`,
    );
  else if (path.basename(file) !== `${kebab(name)}.ts`)
    found.push(`it stands in ${file}: a file is named after its kind, ${kebab(name)}.ts`);
  else if ([...files].some(([other, at]) => at === file && other !== name))
    found.push(`another kind stands in ${file}, too: each has a file of its own`);
  if (kinds.filter((one) => one.name === name).length > 1)
    found.push(`two kinds in ${index} are called so: give one another name`);
  if (!/^(?!x-)[a-z][a-zA-Z]*$/.test(section))
    found.push(`its section \`${section}\` is no name for one: letters, the first one small`);
  const names = kinds.map((one) => one.name);
  if (parent !== undefined && !names.includes(parent))
    found.push(`its parent \`${parent}\` is no kind: it may be one of ${names.join(', ')}`);
  else if (parent !== undefined && names.indexOf(parent) > names.indexOf(name))
    found.push(`it stands before its parent \`${parent}\` in ${index}: put it behind`);
  const above = kinds.find((one) => one.name === parent);
  const place = parent === undefined ? 'at the top' : `in a ${parent}`;
  // Of two the later one is told.
  const twin = kinds
    .slice(0, Math.max(0, kinds.indexOf(kind)))
    .find((one) => one.section === section && one.parent === parent);
  if (twin)
    found.push(`its section \`${section}\` ${place} is that of \`${twin.name}\` already: give it another`);
  if (above && Object.hasOwn(above.fields, section))
    found.push(`its section \`${section}\` is a field of \`${parent}\` already: give it another`);
  if (parent === undefined && headerKeys.includes(section))
    found.push(`its section \`${section}\` is a key of the header already: give it another`);
  return found;
}

/** What the declaration says for people, and what identifies an object. */
export function fieldFindings(kind: Kind, { kinds }: Given): string[] {
  const { key, doc, fields } = kind;
  const found: string[] = [];
  if (!/^[A-Z].{10,200}\.$/.test(doc ?? ''))
    found.push(
      'it has no `doc`, or none that is one sentence: it begins with a capital and ends with a full stop',
    );
  for (const [field, schema] of Object.entries(fields)) {
    if (!/^[A-Z\d`].{5,250}\.$/.test(docOf(schema) ?? ''))
      found.push(
        `its field \`${field}\` has no sentence: end the schema with \`.describe('...')\`, a capital and a full stop`,
      );
    if (!/^[a-zA-Z][a-zA-Z0-9]*$/.test(field))
      found.push(`its field \`${field}\` is no name for one: letters and digits`);
  }
  const compared = comparedFields(kind);
  for (const field of key) {
    const schema = compared[field];
    if (!schema)
      found.push(
        `its key names \`${field}\`, which is no field: there are ${Object.keys(compared).join(', ')}`,
      );
    else if (traitsOf(schema).secret)
      found.push(`its key names \`${field}\`, which is secret: nothing is known by a secret`);
    else if (schema.safeParse(undefined).success)
      found.push(`its key names \`${field}\`, which may be absent: take \`.optional()\` off`);
  }
  for (const [field, schema] of Object.entries({ ...fields, ...compared }))
    for (const target of [traitsOf(schema).ref, traitsOf(schema).softRef])
      if (target !== undefined && !kinds.some(({ name }) => name === target))
        found.push(`its field \`${field}\` refers to the kind \`${target}\`, which does not exist`);
  return found;
}

/** How it is read and written: each endpoint one of the catalog, nobody else's, and with placeholders that something fills. */
export function endpointFindings(kind: Kind, { kinds }: Given): string[] {
  const { read, key, shape } = kind;
  const found: string[] = [];
  if (read.endpoint === undefined) found.push(...unlistedFindings(kind));
  else if (key.length > 0 && read.items === undefined)
    found.push(
      '`read.items` is missing: the member of the answer that holds the list (or `key: []`, where there is one per parent)',
    );
  if (key.length === 0 && read.items !== undefined)
    found.push(
      '`key` is empty, so there is one per parent, and `read.items` says that there are many: drop one',
    );
  if (!canDo(kind, 'create') && !canDo(kind, 'update'))
    found.push('it has neither `create` nor `update`: nothing could ever be changed');
  if (shape.byIndex && !kind.move) found.push('`move` is missing: its shape puts objects at an index');
  const fillable = [
    'id',
    'teamId',
    ...(shape.staging ? ['version'] : []),
    ...lineage(kindsOf(kinds), kind.parent).map(({ name }) => name),
    ...Object.keys(kind.fields),
  ];
  for (const endpoint of new Set([...filledByPlanner(kind), ...requestsOf(kind).map((one) => one.endpoint)]))
    if (!operationOf(endpoint, operations))
      found.push(
        `\`${endpoint}\` is neither in the catalog, providers/hosting/catalog.ts, nor in providers/hosting/extra-operations.ts`,
      );
    else if (filledByPlanner(kind).includes(endpoint))
      for (const [, placeholder] of endpoint.matchAll(/\{(\w+)\}/g))
        if (!fillable.includes(placeholder!))
          found.push(`nobody fills {${placeholder}} of \`${endpoint}\`: there are ${fillable.join(', ')}`);
  const ownClaims = claimed(kind, kinds);
  for (const other of kinds.slice(0, Math.max(0, kinds.indexOf(kind)))) {
    const otherClaims = claimed(other, kinds);
    for (const endpoint of ownClaims.filter((claim) => otherClaims.includes(claim)))
      found.push(`\`${endpoint}\` is claimed by \`${other.name}\` already`);
  }
  return found;
}

/** Objects that the platform does not list are read by their names or, where nothing reads them, known by what was written. */
function unlistedFindings({ read, key, id = 'id', fields }: Kind): string[] {
  if (key.length !== 1)
    return ['`read.endpoint` is missing: without a list, objects are found by a key of one field'];
  if (read.single) return [];
  const unread = Object.keys(fields).filter((name) => name !== key[0] && !traitsOf(fields[name]!).writeOnly);
  return [
    ...(id === key[0] ? [] : [`nothing reads it, so \`id\` must be its key: write \`id: '${key[0]}'\``]),
    ...unread.map((name) => `nothing reads its field \`${name}\`: wrap the schema in \`writeOnly(...)\``),
  ];
}

/** Several changes of the kind may be one request, which it makes itself. */
export const sendsTogether = ({ shape }: Pick<Kind, 'shape'>): boolean =>
  /sent in one request/.test(shape.words({ isHidden: false }).join());

/** The endpoints whose placeholders the planner fills; what a kind fills itself is checked where it is sent. */
function filledByPlanner(kind: Kind): string[] {
  const writes = [kind.create, kind.update, kind.delete, kind.move]
    .flatMap((write) => (write === undefined || sendsTogether(kind) ? [] : writeRequests(write)))
    .flatMap(({ endpoint, params }) => (params ? [] : [endpoint]));
  return [
    ...[kind.read.endpoint ?? []].flat(),
    ...(kind.read.single ? [kind.read.single.endpoint] : []),
    ...writes,
  ];
}

const claims = new WeakMap<readonly Kind[], Map<Kind, string[]>>();

/** Like `findClaims`, computed once for each kind of a list, because every kind is compared with all kinds before it. */
function claimed(kind: Kind, kinds: readonly Kind[]): string[] {
  const ofList = claims.get(kinds) ?? new Map<Kind, string[]>();
  claims.set(kinds, ofList);
  const endpoints = ofList.get(kind) ?? findClaims(kind, kinds);
  ofList.set(kind, endpoints);
  return endpoints;
}

/** The endpoints that are a kind's alone: those of its writes, and the list that it reads. A document has several kinds in it. */
function findClaims(kind: Kind, kinds: readonly Kind[]): string[] {
  if (kind.shape.document) return [];
  const isList = ['string', 'object'].includes(typeof listItemsOf(kind.read));
  // A part of the parent that is a kind: each of them is written by the parent's own update.
  const parent = kinds.find(({ name }) => name === kind.parent);
  // An item of a list in another kind: both are read and written by the same operations.
  const mirroring = kinds.filter(({ fields }) =>
    Object.values(fields).some((schema) => traitsOf(schema).mirrors?.kind === kind.name),
  );
  const updates = [...writeRequests(parent?.update ?? []), ...mirroring.flatMap(requestsOf)].map(
    ({ endpoint }) => operationOf(endpoint, operations),
  );
  const isParents = (endpoint: string) => updates.includes(operationOf(endpoint, operations));
  return requestsOf(kind).flatMap(({ endpoint, when }) =>
    isParents(endpoint) || (endpoint.startsWith('GET ') && !(isList && when.includes('list')))
      ? []
      : [endpoint],
  );
}
