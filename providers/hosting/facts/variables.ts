import type { Fact } from '#kind';
import {
  confirmedIf,
  contradictedIf,
  inArea,
  judgeRows,
  type Row,
  rowsOf,
  toRow,
  toTexts,
  toVerdict,
} from './observed.ts';

const projectList = 'GET /v10/projects/{idOrName}/env';
const projectCreate = 'POST /v10/projects/{idOrName}/env';
const projectUpdate = 'PATCH /v9/projects/{idOrName}/env/{id}';
const sharedList = 'GET /v1/env';
const sharedCreate = 'POST /v1/env';
const project = ['projectEnvVar'];
const both = ['projectEnvVar', 'sharedEnvVar'];

const publicPrefix =
  /^(NEXT_PUBLIC_|VITE_|REACT_APP_|GATSBY_|NUXT_ENV_|PUBLIC_|VUE_APP_|REDWOOD_ENV_|SANITY_STUDIO_)/i;
const reservedNames = new Set([
  ...['SECRET_KEY', 'EXECUTION_ENV'].map((name) => `AWS_${name}`),
  ...['LOG_GROUP_NAME', 'LOG_STREAM_NAME', 'FUNCTION_NAME', 'FUNCTION_MEMORY_SIZE', 'FUNCTION_VERSION'].map(
    (name) => `AWS_LAMBDA_${name}`,
  ),
  ...['NOW_REGION', 'TZ', 'LAMBDA_TASK_ROOT', 'LAMBDA_RUNTIME_DIR'],
]);

/** True for a variable whose value can never be read again. */
const isSensitive = (row: Row) => row.type === 'sensitive' || row.visibility === 'secret';
/** True for a variable of production or preview. */
const isDeployed = (row: Row) => toTexts(row.target).some((target) => target !== 'development');

/** Facts about variables of projects and of teams. */
export const variableFacts: Fact[] = inArea('variables', [
  {
    id: 'PF1',
    statement: "The list of a project's variables has all rows, and a `limit` changes nothing.",
    source: 'triggerdotdev/trigger.dev#3850',
    confidence: 'measured',
    kinds: project,
    operations: [projectList],
    answer(observed) {
      if (toRow(toRow(observed.body).pagination).next) return 'contradicted';
      return confirmedIf(rowsOf(observed, 'envs').length > Number(observed.query.limit ?? 100));
    },
  },
  {
    id: 'PF2',
    statement:
      "The list of a team's variables has pages of about 25 rows, at most 50; the next page starts with `until` at the time in `pagination.next`.",
    source: 'triggerdotdev/trigger.dev#3850; vercel/vercel#17487',
    confidence: 'measured',
    kinds: ['sharedEnvVar'],
    operations: [sharedList],
    answer(observed) {
      if (rowsOf(observed, 'data').length > 50) return 'contradicted';
      const { next } = toRow(toRow(observed.body).pagination);
      return next === undefined || next === null ? undefined : toVerdict(typeof next === 'number');
    },
  },
  {
    id: 'PF3',
    statement:
      'An upsert whose targets differ from those of the existing row is refused with 400 `ENV_CONFLICT`.',
    source: 'getsentry/sentry#118490',
    confidence: 'measured',
    kinds: project,
    operations: [projectCreate],
  },
  {
    id: 'PF4',
    statement: 'Version 10 of the creation knows `upsert`, version 9 does not.',
    source: 'getsentry/sentry#118314',
    confidence: 'measured',
    kinds: project,
    operations: [projectCreate],
  },
  {
    id: 'PF5',
    statement: 'The message about a conflict can end with "on branch undefined".',
    source: 'vercel/vercel#16588',
    confidence: 'measured',
    kinds: project,
    operations: [projectCreate],
  },
  {
    id: 'PF6',
    statement: 'A conflict has the code `ENV_CONFLICT`; older answers had `ENV_ALREADY_EXISTS`.',
    source: 'vercel/terraform-provider-vercel#255, #193; pulumiverse/pulumi-vercel#118',
    confidence: 'measured',
    kinds: both,
    operations: [projectCreate, sharedCreate],
  },
  {
    id: 'PF7',
    statement:
      'If every row of a creation is refused, the answer is 400 `BAD_REQUEST`, with the reasons in `failed` beside `error`.',
    source: 'vercel/terraform-provider-vercel#383, client/environment_variable.go',
    confidence: 'measured',
    kinds: project,
    operations: [projectCreate],
  },
  {
    id: 'PF8',
    statement: 'If some rows of a creation are refused, the answer is 201 with `created` and `failed`.',
    source: 'terraform-provider-vercel, client/environment_variable.go',
    confidence: 'read',
    kinds: project,
    operations: [projectCreate],
  },
  {
    id: 'PF9',
    statement:
      'Rows of the list say in `decrypted` whether `value` is readable; with `false` it is ciphertext.',
    source: 'vercel/sdk#118',
    confidence: 'measured',
    kinds: project,
    operations: [projectList],
    answer: (observed) =>
      judgeRows(rowsOf(observed, 'envs'), (row) =>
        row.type === 'encrypted' && typeof row.value === 'string'
          ? toVerdict(typeof row.decrypted === 'boolean')
          : undefined,
      ),
  },
  {
    id: 'PF10',
    statement:
      'A variable whose name has a public prefix such as `NEXT_PUBLIC_` cannot be sensitive or secret on production and preview.',
    source: 'vercel CLI, util/env/env-var-config-secret-ui.ts; packages/frameworks',
    confidence: 'read',
    kinds: both,
    operations: [projectList, projectCreate, projectUpdate],
    answer: (observed) =>
      judgeRows(rowsOf(observed, 'envs'), (row) =>
        contradictedIf(publicPrefix.test(String(row.key)) && isSensitive(row) && isDeployed(row)),
      ),
  },
  {
    id: 'PF11',
    statement: 'A variable of development cannot be sensitive.',
    source: 'documentation: Sensitive environment variables; vercel CLI',
    confidence: 'documented',
    kinds: both,
    operations: [projectList, projectCreate, projectUpdate],
    answer: (observed) =>
      judgeRows(rowsOf(observed, 'envs'), (row) =>
        contradictedIf(row.type === 'sensitive' && toTexts(row.target).includes('development')),
      ),
  },
  {
    id: 'PF12',
    statement:
      'Eleven names are reserved, among them `TZ`, `NOW_REGION` and `AWS_SECRET_KEY`; `AWS_REGION` and `AWS_SECRET_ACCESS_KEY` are allowed.',
    source: 'documentation: Reserved environment variables; vercel/docs#1784',
    confidence: 'documented',
    kinds: both,
    operations: [projectList, projectCreate, sharedCreate],
    answer: (observed) =>
      judgeRows(rowsOf(observed, 'envs'), (row) =>
        contradictedIf(row.system !== true && reservedNames.has(String(row.key))),
      ),
  },
  {
    id: 'PF13',
    statement:
      'An environment of a project has at most 1,000 variables. Names and values of a deployment have at most 64 KB together.',
    source: 'documentation: Limits',
    confidence: 'documented',
    kinds: both,
    operations: [projectList, projectCreate],
    answer(observed) {
      const rows = rowsOf(observed, 'envs');
      const targets = ['production', 'preview', 'development'];
      return contradictedIf(
        targets.some(
          (target) =>
            rows.filter((row) => !row.gitBranch && toTexts(row.target).includes(target)).length > 1000,
        ),
      );
    },
  },
  {
    id: 'PF14',
    statement:
      'Under the policy of a team, new variables of production and preview are sensitive. Sources differ on other types: the platform changes or refuses them.',
    source: 'documentation: Sensitive environment variables; vercel CLI; terraform-provider-vercel a0b1fb2',
    confidence: 'documented',
    kinds: [...both, 'team'],
    operations: [projectCreate, sharedCreate],
  },
  {
    id: 'PF15',
    statement: 'A sensitive variable keeps its type; it must be removed and added again to change it.',
    source: 'terraform-provider-vercel; triggerdotdev/trigger.dev#3666',
    confidence: 'measured',
    kinds: both,
    operations: [projectUpdate],
  },
  {
    id: 'PF16',
    statement: 'One name on preview, and on preview of one branch, are two rows.',
    source: 'vercel/terraform-provider-vercel#383',
    confidence: 'measured',
    kinds: project,
    operations: [projectList],
    answer(observed) {
      const previews = rowsOf(observed, 'envs').filter((row) => toTexts(row.target).includes('preview'));
      const general = new Set(previews.filter((row) => !row.gitBranch).map((row) => row.key));
      return confirmedIf(previews.some((row) => row.gitBranch && general.has(row.key)));
    },
  },
  {
    id: 'PF17',
    statement:
      "The platform's command line stores variables as `sensitive` with the visibility `secret`, except on development.",
    source: 'vercel CLI, commands/env/add.ts',
    confidence: 'read',
    kinds: project,
    operations: [projectCreate],
  },
  {
    id: 'PF18',
    statement: "`projectId` of a team's variable is a list.",
    source: 'documentation: list of shared variables; mondoohq/mql#9592',
    confidence: 'documented',
    kinds: ['sharedEnvVar'],
    operations: [sharedList],
    answer: (observed) =>
      judgeRows(rowsOf(observed, 'data'), ({ projectId }) =>
        projectId === undefined ? undefined : toVerdict(Array.isArray(projectId)),
      ),
  },
  {
    id: 'PF82',
    statement:
      'Roles without access to production do not get its rows in the list; only `hiddenProductionEnvCount` shows that there are any.',
    source: 'getsentry/sentry#118200; bobmatnyc/trusty-tools#8002; API catalog',
    confidence: 'documented',
    kinds: project,
    operations: [projectList],
    answer: (observed) => confirmedIf(Number(toRow(observed.body).hiddenProductionEnvCount ?? 0) > 0),
  },
]);
