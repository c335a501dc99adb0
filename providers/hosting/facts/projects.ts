import type { Fact, FactVerdict, ObservedAnswer } from '#kind';
import {
  confirmedIf,
  contradictedIf,
  inArea,
  isSuccess,
  judgeRows,
  type Row,
  rowsOf,
  toRow,
  toRows,
  toVerdict,
} from './observed.ts';

const list = 'GET /v10/projects';
const read = 'GET /v9/projects/{idOrName}';
const create = 'POST /v11/projects';
const update = 'PATCH /v9/projects/{idOrName}';
const reads = [list, read];
const project = ['project'];

/**
 * Returns a check of a fact about projects (what trueup assumes about the platform) by an answer with the list of projects or a single
 * project. `judge`: the verdict of one project.
 */
const eachProject =
  (judge: (row: Row) => FactVerdict) =>
  (observed: ObservedAnswer): FactVerdict => {
    if (observed.operation === list) return judgeRows(rowsOf(observed, 'projects'), judge);
    return isSuccess(observed) ? judge(toRow(observed.body)) : undefined;
  };

/** Facts about the settings of projects. */
export const projectFacts: Fact[] = inArea('projects', [
  {
    id: 'PF19',
    statement:
      '`publicSource` was retired in June 2026: creations and updates with it are refused with 400, and projects no longer have it.',
    source: 'vercel/terraform-provider-vercel#524, #525',
    confidence: 'measured',
    kinds: project,
    operations: [...reads, create, update],
    answer: eachProject((row) => toVerdict(!Object.hasOwn(row, 'publicSource'))),
  },
  {
    id: 'PF20',
    statement:
      'An update of a project refuses `gitRepository` with 400; the link has requests of its own under `/link`.',
    source: 'alchemy-run/alchemy-async#202',
    confidence: 'measured',
    kinds: project,
    operations: [update, 'POST /v9/projects/{idOrName}/link', 'DELETE /v9/projects/{idOrName}/link'],
  },
  {
    id: 'PF21',
    statement:
      'A new project protects all deployments except those under custom domains (`all_except_custom_domains`).',
    source: 'vercel/terraform-provider-vercel#142, resource_project.go',
    confidence: 'read',
    kinds: project,
    operations: [create],
  },
  {
    id: 'PF22',
    statement: 'An empty `buildMachineType` is refused.',
    source: 'terraform-provider-vercel f75dac5',
    confidence: 'measured',
    kinds: project,
    operations: [update],
  },
  {
    id: 'PF23',
    statement:
      'The build machine `elastic` is written as `buildMachineType`, and read as `buildMachineSelection`, next to a changing concrete type.',
    source: 'terraform-provider-vercel f5c4b72, f75dac5',
    confidence: 'measured',
    kinds: project,
    operations: [...reads, update],
    answer: eachProject((row) => {
      const { buildMachineType, buildMachineSelection } = toRow(row.resourceConfig);
      if (buildMachineType === 'elastic') return 'contradicted';
      return confirmedIf(buildMachineSelection === 'elastic');
    }),
  },
  {
    id: 'PF24',
    statement: '`enableAffectedProjectsDeployments` reads `false` where it was never set.',
    source: 'vercel/terraform-provider-vercel#296, #440',
    confidence: 'measured',
    kinds: project,
    operations: reads,
    answer: eachProject(({ enableAffectedProjectsDeployments: setting }) =>
      setting === false ? 'confirmed' : contradictedIf(setting === null),
    ),
  },
  {
    id: 'PF25',
    statement: 'A trusted address without a note reads an empty note or none.',
    source: 'vercel/terraform-provider-vercel#187, #188',
    confidence: 'measured',
    kinds: project,
    operations: reads,
    answer: eachProject((row) =>
      judgeRows(toRows(toRow(row.trustedIps).addresses), ({ note }) =>
        note === undefined || note === '' ? 'confirmed' : note === null ? 'contradicted' : undefined,
      ),
    ),
  },
  {
    id: 'PF26',
    statement:
      'Unknown members in the body of a project are refused with 400. `gitComments`, `gitProviderOptions` and `productionDeploymentsFastLane` are taken, although the published schema lacks them.',
    source: 'vercel/terraform-provider-vercel#524, client/project.go; alchemy-run/alchemy-async#202',
    confidence: 'measured',
    kinds: project,
    operations: [create, update],
  },
  {
    id: 'PF27',
    statement: '`serverlessFunctionRegion` repeats the first default region of functions.',
    source: 'terraform-provider-vercel 2132dc5',
    confidence: 'read',
    kinds: project,
    operations: reads,
    answer: eachProject(({ serverlessFunctionRegion, defaultResourceConfig }) => {
      const { functionDefaultRegions } = toRow(defaultResourceConfig);
      if (!Array.isArray(functionDefaultRegions) || functionDefaultRegions.length === 0) return undefined;
      if (typeof serverlessFunctionRegion !== 'string') return undefined;
      return toVerdict(serverlessFunctionRegion === functionDefaultRegions[0]);
    }),
  },
  {
    id: 'PF29',
    statement: 'The production branch of a linked project has a request of its own.',
    source: 'terraform-provider-vercel, client/project.go',
    confidence: 'read',
    kinds: project,
    operations: [],
  },
  {
    id: 'PF30',
    statement: 'Deploy hooks can be deleted after the repository was unlinked.',
    source: "terraform-provider-vercel's acceptance tests",
    confidence: 'measured',
    kinds: project,
    operations: ['DELETE /v9/projects/{idOrName}/link'],
  },
  {
    id: 'PF31',
    statement: 'With a token of one team, reads and writes need no `teamId`.',
    source: "documentation: Access tokens; terraform-provider-vercel's acceptance tests",
    confidence: 'documented',
    kinds: project,
    operations: [read, update],
  },
  {
    id: 'PF32',
    statement: 'Skew protection can last four hours (14,400 seconds).',
    source: 'terraform-provider-vercel c52939b',
    confidence: 'read',
    kinds: project,
    operations: [...reads, update],
    answer: eachProject(({ skewProtectionMaxAge }) => confirmedIf(skewProtectionMaxAge === 14_400)),
  },
  {
    id: 'PF33',
    statement: '`trustedSources` of a project can be written and read.',
    source: 'terraform-provider-vercel 3a28070; changelog of 2026-05-13',
    confidence: 'read',
    kinds: project,
    operations: [...reads, update],
    answer: eachProject(({ trustedSources }) => confirmedIf(Boolean(trustedSources))),
  },
  {
    id: 'PF34',
    statement: '`protectedSourcemaps` of a project can be written and read.',
    source: 'terraform-provider-vercel 503959b',
    confidence: 'read',
    kinds: project,
    operations: [...reads, update],
    answer: eachProject(({ protectedSourcemaps }) => confirmedIf(protectedSourcemaps !== undefined)),
  },
  {
    id: 'PF84',
    statement: 'Switching on rolling releases switches on skew protection, if that was never set.',
    source: 'documentation: Update the rolling release settings',
    confidence: 'documented',
    kinds: ['project', 'rollingRelease'],
    operations: ['PATCH /v1/projects/{idOrName}/rolling-release/config'],
  },
]);
