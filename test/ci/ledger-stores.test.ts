import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isMap, isSeq, parse, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml';
import { blocksIn, storesGuide } from '../support/guide.ts';

/* What the guide on stores changes in the workflows and pipelines that `init --ci` writes: they stay what linters and schemas take. */

const folder = mkdtempSync(join(tmpdir(), 'trueup-stores-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const has = (program: string) => spawnSync(program, ['--version']).status === 0;
const missing = ['actionlint', 'zizmor', 'check-jsonschema'].filter((program) => !has(program));
if (missing.length > 0) console.log(`not installed, and so not asked about the guide: ${missing.join(', ')}`);

function clean(program: string, ...args: string[]) {
  if (missing.includes(program)) return;
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  expect(status, `${stdout}${stderr}`).toBe(0);
}

const blocks = blocksIn(storesGuide, 'yaml');
const step = blocks.find((text) => text.includes('configure-aws-credentials'))!;
const pipeline = blocks.find((text) => text.includes('TRUEUP_LEDGER_INDEX'))!;
const s3 = 's3://our-ledgers/trueup';

/** A workflow of the examples with its ledgers in the bucket, as the guide says. Its comments stay: a linter reads them. */
function withBucket(name: string): string {
  const document = parseDocument(readFileSync(`examples/ci/github/${name}.yml`, 'utf8'));
  const jobs = document.get('jobs') as YAMLMap;
  for (const { value } of jobs.items as { value: YAMLMap }[]) {
    if (!value.has('permissions')) value.set('permissions', document.createNode({ contents: 'read' }));
    const permissions = value.get('permissions') as YAMLMap;
    permissions.set('id-token', 'write');
    permissions.set('contents', 'read');
    const steps = value.get('steps') as YAMLSeq;
    const at = steps.items.findIndex((one) => isMap(one) && `${one.get('run')}`.startsWith('npm ci'));
    expect(at).toBeGreaterThan(0);
    const added = parseDocument(step).contents;
    if (!isSeq(added)) throw new Error('the step of the guide is no step');
    steps.items.splice(at + 1, 0, added.items[0]!);
    for (const one of steps.items)
      if (isMap(one) && one.hasIn(['env', 'TRUEUP_LEDGER'])) one.setIn(['env', 'TRUEUP_LEDGER'], s3);
  }
  return document.toString({ lineWidth: 0 });
}

describe('S3 from GitHub Actions', () => {
  it('the workflows with a role in place of a key are what actionlint and zizmor take', () => {
    for (const name of ['plan', 'apply', 'drift']) {
      const file = join(folder, `${name}.yml`);
      writeFileSync(file, withBucket(name));
      expect(readFileSync(file, 'utf8')).toContain(s3);
      clean('actionlint', '-shellcheck=', file);
      clean('zizmor', '--offline', '--quiet', '--no-progress', file);
    }
  });

  it('the roles trust the environments that these workflows use, each what it may do', () => {
    const [trust] = blocksIn(storesGuide, 'json').map((text) => JSON.parse(text));
    const [{ Condition }] = trust.Statement;
    const trusted = Condition.StringEquals['token.actions.githubusercontent.com:sub'] as string[];
    const environments = ['plan', 'apply', 'drift'].flatMap((name) =>
      Object.values(parse(readFileSync(`examples/ci/github/${name}.yml`, 'utf8')).jobs).map(
        (job) => (job as { environment: string }).environment,
      ),
    );
    const reading = [...new Set(environments)].filter((name) => name !== 'production').sort();
    expect(trusted).toEqual(reading.map((name) => `repo:acme/site:environment:${name}`));
    expect(readFileSync(storesGuide, 'utf8')).toContain('only `repo:acme/site:environment:production`');
    // The step begins the hour; it is the one that may write.
    expect(parse(step)[0].with['role-to-assume']).toMatch(/:role\/trueup-apply$/);
  });
});

describe('state that GitLab manages', () => {
  it('the pipeline with the variables of the guide is as the schema of GitLab has it', () => {
    const text = readFileSync('examples/ci/gitlab-ci.yml', 'utf8');
    const document = parseDocument(text);
    const variables = document.get('variables') as YAMLMap;
    expect(variables.get('TRUEUP_LEDGER')).toBe('git:site');
    for (const [name, value] of Object.entries(parse(pipeline).variables)) variables.set(name, value);
    const file = join(folder, 'gitlab-ci.yml');
    writeFileSync(file, document.toString({ lineWidth: 0 }));
    expect(parse(readFileSync(file, 'utf8')).variables).toMatchObject({
      TRUEUP_LEDGER: expect.stringMatching(/\/terraform\/state\/\{stack\}$/),
      TRUEUP_LEDGER_INDEX: expect.stringMatching(/\/terraform\/state\/trueup_index$/),
    });
    clean('check-jsonschema', '--builtin-schema', 'vendor.gitlab-ci', '--data-transform', 'gitlab-ci', file);
  });
});
