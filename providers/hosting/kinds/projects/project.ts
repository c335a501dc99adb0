import { z } from 'zod';
import {
  type ApiObject,
  atomic,
  createOnly,
  defineKind,
  type Fields,
  immutable,
  openEnum,
  readMayLack,
  secret,
  updateOnly,
  withTraits,
} from '#kind';

const text = z.string().nullable().optional();
const flag = z.boolean().optional();
const flagOrNull = z.boolean().nullable().optional();
const protectedDeployments = [
  'all',
  'preview',
  'prod_deployment_urls_and_all_previews',
  'all_except_custom_domains',
];
const deploymentType = openEnum(protectedDeployments).describe('The deployments that are protected.');

const frameworks =
  'container blitzjs nextjs gatsby remix react-router astro hexo eleventy docusaurus-2 docusaurus preact solidstart-1 solidstart dojo ember vue scully ionic-angular angular polymer svelte sveltekit sveltekit-1 ionic-react create-react-app gridsome umijs sapper saber stencil nuxtjs redwoodjs hugo jekyll brunch middleman zola hydrogen vite tanstack-start tanstack-start-lovable vitepress vuepress parcel fastapi flask fasthtml django ash factory-eve eve sanity sanity-v2 storybook nitro hono express h3 koa nestjs elysia fastify xmcp python ruby rust axum actix-web bun node go services mastra';

interface Link {
  type: string;
  repo: string;
  org?: string;
}
// Written as `owner/name`, read as two members.
const repositoryOf = ({ type, org, repo }: Link) => ({
  type,
  repo: org && !repo.includes('/') ? `${org}/${repo}` : repo,
});
const elastic = ({ resourceConfig }: ApiObject) =>
  (resourceConfig as ApiObject | undefined)?.buildMachineSelection === 'elastic';
// A machine of one's own choice also ends the selection, which would otherwise outlive it.
const machine = (config: ApiObject) =>
  (config.buildMachineType ?? 'elastic') === 'elastic'
    ? config
    : { ...config, buildMachineSelection: 'fixed' };

/** A project. POST takes fewer fields than PATCH, so a creation may need two requests. */
export const project = defineKind({
  name: 'project',
  doc: 'A project: build settings, deployment protection, and everything that belongs to it.',
  example: `
projects:
  web:
    framework: nextjs
    rootDirectory: apps/web
    buildCommand: null # the framework's own
    nodeVersion: 22.x
    ssoProtection: { deploymentType: preview }
`,
  section: 'projects',
  key: ['name'],
  replace: 'never',
  container: true,
  usual: {
    previewDeploymentsDisabled: false,
    publicSource: false,
    serverlessFunctionRegion: 'iad1',
    resourceConfig: { fluid: true, functionDefaultRegions: ['iad1'], buildMachineType: 'standard' },
    oidcTokenConfig: { enabled: true, issuerMode: 'team' },
    autoExposeSystemEnvs: true,
    autoAssignCustomDomains: true,
    customerSupportCodeVisibility: false,
    directoryListing: false,
    gitForkProtection: true,
    gitLFS: false,
    sourceFilesOutsideRootDirectory: true,
  },
  fields: {
    name: z.string().min(1).max(100).describe('The name of the project, unique in the account.'),
    framework: openEnum(frameworks.split(' '))
      .nullable()
      .optional()
      .describe('The framework that decides the build defaults; null for none.'),
    rootDirectory: text.describe('The folder of the repository that is built; null for its root.'),
    buildCommand: text.describe('The build command; null for the default of the framework.'),
    installCommand: text.describe(
      'The command that installs dependencies; null for the default of the framework.',
    ),
    devCommand: text.describe(
      'The command that starts local development; null for the default of the framework.',
    ),
    outputDirectory: text.describe(
      'The folder that the build writes to; null for the default of the framework.',
    ),
    commandForIgnoringBuildStep: text.describe(
      'A command that decides whether a commit is built: exit code 0 skips the build.',
    ),
    nodeVersion: updateOnly(openEnum(['24.x', '22.x', '20.x', '18.x']))
      .optional()
      .describe('The Node.js version of builds and functions.'),
    // The catalog has no operation that changes the Git link later; reads answer it as `link`.
    gitRepository: immutable(
      atomic(
        z.strictObject({
          type: z.string().describe('The Git provider, such as `github`.'),
          repo: z.string().describe('The repository, as `owner/name`.'),
        }),
      ),
    )
      .optional()
      .describe('The connected Git repository; it can only be set when the project is created.'),
    skipGitConnectDuringLink: createOnly(z.boolean())
      .optional()
      .describe('Whether the creation leaves the Git repository unconnected.'),
    publicSource: readMayLack(z.boolean().nullable())
      .optional()
      .describe('Whether everybody can see the source and logs of deployments.'),
    previewDeploymentSuffix: readMayLack(z.string().nullable())
      .optional()
      .describe("The domain that the URLs of preview deployments end in; null for the platform's own."),
    previewDeploymentsDisabled: readMayLack(z.boolean().nullable())
      .optional()
      .describe('Whether commits to branches other than production are not deployed.'),
    serverlessFunctionRegion: readMayLack(z.string().nullable())
      .optional()
      .describe('The region in which functions run, such as `fra1`.'),
    serverlessFunctionZeroConfigFailover: flag.describe(
      'Whether functions move to other regions when theirs fails.',
    ),
    enablePreviewFeedback: flagOrNull.describe(
      'Whether preview deployments show the comment toolbar; null for the default of the team.',
    ),
    enableProductionFeedback: flagOrNull.describe(
      'Whether production deployments show the comment toolbar; null for the default of the team.',
    ),
    enableAffectedProjectsDeployments: flag.describe(
      'Whether a commit to a monorepo deploys only the projects that it affects.',
    ),
    ssoProtection: z
      .strictObject({ deploymentType })
      .nullable()
      .optional()
      .describe('Access for members of the team only; null switches it off.'),
    oidcTokenConfig: z
      .strictObject({
        enabled: flag.describe('Whether tokens are issued; the default is true.'),
        issuerMode: openEnum(['team', 'global'])
          .optional()
          .describe('Whose issuer signs the tokens; the default is `team`.'),
      })
      .optional()
      .describe('OIDC tokens by which builds and functions authenticate elsewhere.'),
    sandbox: z
      .strictObject({
        region: z.string().optional().describe('The region, such as `iad1`.'),
        failoverRegions: z
          .array(z.string())
          .optional()
          .describe('Regions to use, in this order, when it fails.'),
      })
      .optional()
      .describe('Where sandboxes of the project run.'),
    resourceConfig: z
      .strictObject({
        fluid: flag.describe('Whether functions serve several requests at once (fluid compute).'),
        functionDefaultRegions: withTraits(z.array(z.string()), { unordered: true })
          .optional()
          .describe('The regions in which functions run unless they name their own.'),
        functionDefaultTimeout: z
          .number()
          .optional()
          .describe('How long a function may run unless it says so itself, in seconds.'),
        functionDefaultMemoryType: openEnum(['standard_legacy', 'standard', 'performance', 'performance_xl'])
          .optional()
          .describe('The memory and CPU of functions unless they name their own.'),
        functionZeroConfigFailover: flag.describe(
          'Whether functions move to other regions when theirs fails.',
        ),
        elasticConcurrencyEnabled: flag.describe(
          'Whether builds may start beyond the reserved concurrency, on demand.',
        ),
        // `elastic` is asked for as a machine type, and read back as a selection whose machine drifts by itself.
        buildMachineType: openEnum(['basic', 'enhanced', 'standard', 'turbo', 'elastic'])
          .optional()
          .describe('The size of the build machine; `elastic` lets the platform choose it.'),
        buildQueue: z
          .strictObject({
            configuration: z.string().describe('`SKIP_NAMESPACE_QUEUE` or `WAIT_FOR_NAMESPACE_QUEUE`.'),
          })
          .optional()
          .describe('How builds of one branch wait for each other.'),
        isNSNBDisabled: flag.describe('Whether the check that commits come from members of the team is off.'),
        enableFunctionsBeta: flag.describe('Whether functions use the beta runtime.'),
      })
      .optional()
      .describe('The resources that builds and functions get.'),
    autoExposeSystemEnvs: updateOnly(z.boolean())
      .optional()
      .describe("Whether builds and functions see the platform's own environment variables."),
    autoAssignCustomDomains: updateOnly(z.boolean())
      .optional()
      .describe('Whether the domains of the project point to each new production deployment.'),
    customerSupportCodeVisibility: updateOnly(z.boolean())
      .optional()
      .describe("Whether the platform's support may see the source of deployments."),
    directoryListing: updateOnly(z.boolean())
      .optional()
      .describe('Whether a folder without an index page shows its files.'),
    gitForkProtection: updateOnly(z.boolean())
      .optional()
      .describe('Whether a pull request from a fork must be authorized before it is deployed.'),
    gitLFS: updateOnly(z.boolean()).optional().describe('Whether files in Git LFS are fetched for builds.'),
    protectedSourcemaps: updateOnly(z.boolean())
      .optional()
      .describe('Whether only authenticated users can read source maps.'),
    sourceFilesOutsideRootDirectory: updateOnly(z.boolean())
      .optional()
      .describe('Whether builds see files outside `rootDirectory`.'),
    enableExternalRewriteCaching: updateOnly(z.boolean())
      .optional()
      .describe('Whether answers of external rewrites are cached.'),
    skewProtectionBoundaryAt: updateOnly(z.int())
      .optional()
      .describe('Deployments made before this time, in Unix milliseconds, get no skew protection.'),
    skewProtectionMaxAge: updateOnly(z.int())
      .optional()
      .describe('How long clients are kept on the deployment that they began with, in seconds.'),
    skewProtectionAllowedDomains: updateOnly(z.array(z.string()))
      .optional()
      .describe('Other domains whose requests may take part in skew protection.'),
    staticIps: updateOnly(z.strictObject({ enabled: z.boolean().describe('Whether they are used.') }))
      .optional()
      .describe('Static addresses for outgoing connections.'),
    passwordProtection: updateOnly(
      z.strictObject({
        deploymentType,
        password: withTraits(secret(z.string()), { writeOnly: true })
          .optional()
          .describe('The password that visitors must give.'),
      }),
    )
      .nullable()
      .optional()
      .describe('Access with a password only; null switches it off.'),
    trustedIps: updateOnly(
      atomic(
        z.strictObject({
          deploymentType: openEnum([...protectedDeployments, 'production']).describe(
            'The deployments that are protected.',
          ),
          addresses: z
            .array(
              z.strictObject({
                value: z.string().describe('An IP address or range.'),
                note: z.string().optional().describe('What it is.'),
              }),
            )
            .describe('The addresses that have access.'),
          protectionMode: openEnum(['exclusive', 'additional']).describe(
            '`exclusive`: only these addresses have access; `additional`: these pass without further protection.',
          ),
        }),
      ),
    )
      .nullable()
      .optional()
      .describe('Access by IP address; null switches it off.'),
  },
  api: {
    list: { endpoint: 'GET /v10/projects', items: 'projects' },
    create: 'POST /v11/projects',
    update: 'PATCH /v9/projects/{id}',
    delete: 'DELETE /v9/projects/{id}',
    decode: (object) => ({
      ...(object as Fields),
      ...(object.link ? { gitRepository: repositoryOf(object.link as Link) } : {}),
      ...(elastic(object)
        ? { resourceConfig: { ...(object.resourceConfig as Fields), buildMachineType: 'elastic' } }
        : {}),
    }),
    encode: ({ resourceConfig, ...fields }) => ({
      ...fields,
      ...(resourceConfig ? { resourceConfig: machine(resourceConfig as ApiObject) } : {}),
    }),
  },
});
