import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { check } from '../../providers/hosting/kinds/projects/check.ts';
import { check as twinCheck } from '../../providers/hosting/twin/projects/check.ts';
import { defineKind, type KindDeclaration } from '../../src/kind/define-kind.ts';
import type { Kind } from '../../src/kind/kind.ts';
import { refTo, writeOnly } from '../../src/kind/traits.ts';
import type { Sample } from '../support/sample.ts';
import { missing, unlisted } from './contract.ts';
import { type Given, given } from './given.ts';
import { exampleFindings } from './of-example.ts';
import { rejectedFindings, seedFindings, untriedFindings } from './of-twin.ts';

/** Everything, with a member of the kind `check` otherwise. */
const withKind = (changed: Partial<Kind>): Given => ({
  ...given,
  kinds: given.kinds.map((kind) => (kind === check ? { ...check, ...changed } : kind)),
});

const withSample = (changed: Partial<Sample> | undefined): Given => {
  const { check: sample, ...others } = given.samples;
  return { ...given, samples: changed ? { ...others, check: { ...sample!, ...changed } } : others };
};

const withLeaves = (changed: Record<string, unknown>): Given =>
  withSample({ leaves: { ...given.samples.check!.leaves, ...changed } as Sample['leaves'] });

const withTwin = (operations: typeof twinCheck.operations): Given => ({
  ...given,
  resources: given.resources.map((one) => (one === twinCheck ? { ...one, operations } : one)),
});

const said = (of: Given) => missing(of.kinds.find(({ name }) => name === 'check')!, of);

/** The fields of a check, but for its name and `timeout`, as of a kind that nothing reads. */
const written = Object.fromEntries(
  Object.entries(check.fields)
    .filter(([name]) => name !== 'name' && name !== 'timeout')
    .map(([name, schema]) => [name, writeOnly(schema)]),
);
const { timeout, ...otherLeaves } = given.samples.check!.leaves;
const { updateProjectCheck: _, ...otherOperations } = twinCheck.operations;
const place = 'providers/hosting/kinds/projects';
const sampleFile = 'test/samples/check.ts';

it('whoever lacks nothing is told nothing', () => {
  for (const kind of given.kinds) expect(missing(kind), kind.name).toEqual([]);
  expect(unlisted()).toEqual([]);
  expect(seedFindings(given)).toEqual([]);
});

describe('one message for what is missing:', () => {
  it.each<[string, Given, string]>([
    [
      'a file with the name of the kind',
      { ...given, files: new Map([...given.files, ['check', `${place}/checks.ts`]]) },
      `it stands in ${place}/checks.ts: a file is named after its kind, check.ts`,
    ],
    [
      'an export with the name of the kind',
      { ...given, files: new Map([...given.files].filter(([name]) => name !== 'check')) },
      'no file in providers/hosting/kinds has `export const check = defineKind({`: it is exported under its name',
    ],
    [
      'a place behind its parent',
      { ...given, kinds: [check, ...given.kinds.filter((kind) => kind !== check)] },
      'it stands before its parent `project` in providers/hosting/kinds/index.ts: put it behind',
    ],
    [
      'a section of its own',
      withKind({ section: 'env' }),
      'its section `env` in a project is that of `projectEnvVar` already: give it another',
    ],
    [
      'a doc',
      withKind({ doc: undefined as never }),
      'it has no `doc`, or none that is one sentence: it begins with a capital and ends with a full stop',
    ],
    [
      'the sentence of a field',
      withKind({ fields: { ...check.fields, timeout: z.number().optional() } }),
      "its field `timeout` has no sentence: end the schema with `.describe('...')`, a capital and a full stop",
    ],
    [
      'a kind that a field refers to',
      withKind({
        fields: { ...check.fields, timeout: refTo('projct').optional().describe('How long it may take.') },
      }),
      'its field `timeout` refers to the kind `projct`, which does not exist',
    ],
    [
      'the member of the answer that holds the list',
      withKind({ read: { ...check.read, items: undefined } }),
      '`read.items` is missing: the member of the answer that holds the list (or `key: []`, where there is one per parent)',
    ],
    [
      'a list, and a read of a field',
      withKind({ read: {}, id: 'name', fields: { ...check.fields, ...written } }),
      'nothing reads its field `timeout`: wrap the schema in `writeOnly(...)`',
    ],
    [
      'a list, and a read of an id',
      withKind({
        read: {},
        fields: { ...check.fields, ...written, timeout: writeOnly(check.fields.timeout!) },
      }),
      "nothing reads it, so `id` must be its key: write `id: 'name'`",
    ],
    ['a sample', withSample(undefined), `it has no sample: write ${sampleFile}, which exports \`check\``],
    [
      'the leaves of a sample',
      withSample({ leaves: undefined as never }),
      `its sample has no \`leaves\`: ${sampleFile}`,
    ],
    [
      'a field in the sample',
      withSample({ leaves: otherLeaves }),
      `its sample has no values for \`timeout\`: give \`leaves\` in ${sampleFile} two of them`,
    ],
    [
      'the field of a value in the sample',
      withLeaves({ timeuot: timeout }),
      `its sample has values for \`timeuot\`, which is nothing that a block names: ${sampleFile}`,
    ],
    [
      'a good value',
      withLeaves({ timeout: ['long', 60] }),
      `its sample has "long" for \`timeout\`, which is refused (timeout: Invalid input: expected number, received string): ${sampleFile}`,
    ],
    [
      'another value',
      withLeaves({ timeout: [60, 60] }),
      `its sample has the same value for \`timeout\` twice: a change needs another, ${sampleFile}`,
    ],
    [
      'a second value',
      withLeaves({ timeout: [60] }),
      `its sample has one value for \`timeout\`: give it another, ${sampleFile}`,
    ],
    [
      'a name for each leaf',
      withSample({ names: ['one'] }),
      `its sample has ${Object.keys(given.samples.check!.leaves).length} leaves, each on an object of its own, and too few \`names\`: ${sampleFile}`,
    ],
    [
      'a place in the sample’s YAML',
      withSample({ place: (block) => ({ projects: { LABEL: { chekcs: { e2e: block } } } }) }),
      `its sample puts a block where there is no \`checks\`: \`place\` in ${sampleFile}`,
    ],
    [
      'a resource of the twin',
      { ...given, resources: given.resources.filter((one) => one !== twinCheck) },
      'the twin has no resource for it: none of its operations is served. Declare one in providers/hosting/twin/projects/check.ts',
    ],
    [
      'an operation of the twin',
      withTwin(otherOperations),
      'the twin does not serve `PATCH /v2/projects/{project}/checks/{id}`: its resource has no `updateProjectCheck` in `operations`',
    ],
    [
      'an operation of the catalog',
      withKind({ delete: 'DELETE /v2/projects/{project}/chekcs/{id}' }),
      '`DELETE /v2/projects/{project}/chekcs/{id}` is neither in the catalog, providers/hosting/catalog.ts, nor in providers/hosting/extra-operations.ts',
    ],
    [
      'an endpoint of its own',
      withKind({ delete: 'DELETE /v9/projects/{project}/custom-environments/{id}' }),
      '`DELETE /v9/projects/{project}/custom-environments/{id}` is claimed by `customEnvironment` already',
    ],
    [
      'what fills a placeholder',
      withKind({ delete: 'DELETE /v2/projects/{project}/checks/{checkId}' }),
      'nobody fills {checkId} of `DELETE /v2/projects/{project}/checks/{checkId}`: there are id, teamId, project, name, requires, blocks, targets, timeout, isRerequestable, source',
    ],
    [
      'a write',
      withKind({ create: undefined, update: undefined }),
      'it has neither `create` nor `update`: nothing could ever be changed',
    ],
  ])('%s', (_, of, message) => {
    expect(said(of)).toEqual([message]);
  });

  it('nothing, where the account’s team fills a placeholder', () => {
    expect(said(withKind({ delete: 'DELETE /v2/projects/{teamId}/checks/{id}' }))).not.toContainEqual(
      expect.stringContaining('nobody fills'),
    );
  });

  it('the fields of a key', () => {
    expect(said(withKind({ key: ['naem'] }))).toEqual([
      'its key names `naem`, which is no field: there are name, requires, blocks, targets, timeout, isRerequestable, source',
    ]);
    const optional = { ...check.fields, name: z.string().optional().describe('Its name in the project.') };
    expect(said(withKind({ fields: optional }))).toEqual([
      'its key names `name`, which may be absent: take `.optional()` off',
    ]);
  });

  it('a parent that is a kind', () => {
    expect(said(withKind({ parent: 'projct' }))[0]).toMatch(
      /^its parent `projct` is no kind: it may be one of project, customEnvironment, /,
    );
  });

  it('a line in the index', () => {
    const of = { ...given, kinds: given.kinds.filter((kind) => kind !== check) };
    expect(unlisted(of)).toEqual([
      {
        kind: 'check',
        message: `${place}/check.ts declares it, and providers/hosting/kinds/index.ts does not name it: import it there, and put it behind what it refers to`,
      },
    ]);
  });

  it('a kind for a sample', () => {
    const of = { ...given, samples: { ...given.samples, chekc: given.samples.check! } };
    expect(unlisted(of)).toEqual([
      {
        kind: 'chekc',
        message: 'test/samples/chekc.ts is the sample of no kind: export it under the name of one',
      },
    ]);
  });

  it('an object for a field of the seed', () => {
    expect(seedFindings(withSample({ seed: undefined }))).toEqual([
      {
        kind: 'check',
        message:
          "the twin's seed has `checks`, of which no sample has one: give test/samples/check.ts `seed: { project: { checks: ... } }`",
      },
    ]);
  });

  it('a request for an operation', () => {
    expect(
      untriedFindings(['getProjectCheck', 'deleteFlagSdkKey'], given).map(({ message }) => message),
    ).toEqual([
      'nothing asks the twin for `GET /v2/projects/{projectIdOrName}/checks/{checkId}` (`getProjectCheck`): give `requests` in test/samples/check.ts a good one',
      expect.stringMatching(/: give test\/twin\/every-operation.ts a good one$/),
    ]);
  });

  it('answers that the public SDK rejects, each at the kind that reads them', () => {
    const [finding] = rejectedFindings([['listProjectChecks', 'checks.0.timeout: Required']], given);
    expect(finding!.kind).toBe('check');
    expect(finding!.message).toMatch(
      /^the public SDK rejects the twin's answer to `GET .*\/checks` \(`listProjectChecks`\) at checks\.0\.timeout: Required\./,
    );
  });

  it.each([
    [undefined, /^it has no `example` for the manual: what stands in its section/],
    ['projects: { web: { chekcs: {} } }', /^its example does not load: .*chekcs/],
    ['projects: [', /^its example does not load: /],
    ['projects: { web: {} }', /^its example has none of it$/],
  ])('an example: %s', async (example, message) => {
    expect(await exampleFindings({ ...check, example: example as string })).toEqual([
      expect.stringMatching(message),
    ]);
  });
});

describe('a declaration that cannot be loaded names its kind:', () => {
  const declared: KindDeclaration = { ...check, fields: () => check.fields };

  it.each(['section', 'key', 'fields', 'read'] as const)('%s', (member) => {
    expect(() => defineKind({ ...declared, [member]: undefined } as never)).toThrow(
      new RegExp(`^kind check: \`${member}\` is missing: \\w`),
    );
  });

  it('its name', () => {
    expect(() => defineKind({ ...declared, name: undefined as never })).toThrow(
      /^kind of the section checks: `name` is missing: /,
    );
  });

  it('fields that throw', () => {
    const fields = () => ({ name: (undefined as unknown as z.ZodString).min(1) });
    expect(() => defineKind({ ...declared, fields }).fields).toThrow(
      /^kind check: its fields cannot be made: /,
    );
  });

  it('an id that is no field is left to the contract', () => {
    const { name: _, ...fields } = check.fields;
    expect(Object.keys(defineKind({ ...declared, id: 'name', fields: () => fields }).fields)).not.toContain(
      'name',
    );
  });
});
