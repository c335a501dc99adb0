import * as z from 'zod';
import { atomic, createOnly, openEnum, readMayLack, updateOnly } from '#kind';

const text = () => z.string().nullable().optional();
const flag = () => z.boolean().optional();

const frameworks =
  'container blitzjs nextjs gatsby remix react-router astro hexo eleventy docusaurus-2 docusaurus preact solidstart-1 solidstart dojo ember vue scully ionic-angular angular polymer svelte sveltekit sveltekit-1 ionic-react create-react-app gridsome umijs sapper saber stencil nuxtjs redwoodjs hugo jekyll brunch middleman zola hydrogen vite tanstack-start tanstack-start-lovable vitepress vuepress parcel fastapi flask fasthtml django ash factory-eve eve sanity sanity-v2 storybook nitro hono express h3 koa nestjs elysia fastify xmcp python ruby rust axum actix-web bun node go services mastra';

const commitStatus = () =>
  z
    .strictObject({
      enabled: z.boolean().describe('Whether there is one.'),
      propagateFailures: z.boolean().describe('Whether a failure of one deployment is its failure.'),
    })
    .optional()
    .describe('One status for all deployments of a commit.');

/** How a project is built and deployed. */
export const buildFields = () => ({
  framework: openEnum(frameworks.split(' '))
    .nullable()
    .optional()
    .describe('The framework that decides the build defaults; null for none.'),
  rootDirectory: text().describe('The folder of the repository that is built; null for its root.'),
  buildCommand: text().describe('The build command; null for the default of the framework.'),
  installCommand: text().describe(
    'The command that installs dependencies; null for the default of the framework.',
  ),
  devCommand: text().describe(
    'The command that starts local development; null for the default of the framework.',
  ),
  outputDirectory: text().describe(
    'The folder that the build writes to; null for the default of the framework.',
  ),
  commandForIgnoringBuildStep: text().describe(
    'A command that decides whether a commit is built: exit code 0 skips the build.',
  ),
  nodeVersion: updateOnly(openEnum(['24.x', '22.x', '20.x', '18.x']))
    .optional()
    .describe('The Node.js version of builds and functions.'),
  // Reads answer it as `link`.
  gitRepository: atomic(
    z
      .strictObject({
        type: z.string().describe('The Git provider, such as `github`.'),
        repo: z.string().describe('The repository, as `owner/name`.'),
      })
      .nullable(),
  )
    .optional()
    .describe('The connected Git repository; null for none.'),
  skipGitConnectDuringLink: createOnly(z.boolean())
    .optional()
    .describe('Whether the creation leaves the Git repository unconnected.'),
  gitLFS: updateOnly(z.boolean()).optional().describe('Whether files in Git LFS are fetched for builds.'),
  sourceFilesOutsideRootDirectory: updateOnly(z.boolean())
    .optional()
    .describe('Whether builds see files outside `rootDirectory`.'),
  enableAffectedProjectsDeployments: flag().describe(
    'Whether a commit to a monorepo deploys only the projects that it affects.',
  ),
  previewDeploymentSuffix: readMayLack(z.string().nullable())
    .optional()
    .describe("The domain that the URLs of preview deployments end in; null for the platform's own."),
  previewDeploymentsDisabled: readMayLack(z.boolean().nullable())
    .optional()
    .describe('Whether commits to branches other than production are not deployed.'),
  autoExposeSystemEnvs: updateOnly(z.boolean())
    .optional()
    .describe("Whether builds and functions see the platform's own environment variables."),
  autoAssignCustomDomains: updateOnly(z.boolean())
    .optional()
    .describe('Whether the domains of the project point to each new production deployment.'),
  // These three are in no body of the public SDK; the Terraform provider sends them, and reads have them.
  productionDeploymentsFastLane: updateOnly(z.boolean())
    .optional()
    .describe('Whether builds for production come before those for previews.'),
  gitComments: updateOnly(
    atomic(
      z.strictObject({
        onCommit: z.boolean().describe('Whether commits get comments.'),
        onPullRequest: z.boolean().describe('Whether pull requests get comments.'),
      }),
    ),
  )
    .optional()
    .describe('Where the platform comments on deployments in the Git repository.'),
  gitProviderOptions: updateOnly(
    atomic(
      z.strictObject({
        createDeployments: openEnum(['enabled', 'disabled']).describe('Whether GitHub deployments are made.'),
        disableRepositoryDispatchEvents: flag().describe(
          'Whether GitHub gets no repository-dispatch events.',
        ),
        gitCommitStatus: flag().describe('Whether commits get a status.'),
        requireVerifiedCommits: flag().describe('Whether only signed commits are deployed.'),
        consolidatedGitCommitStatus: commitStatus(),
      }),
    ),
  )
    .optional()
    .describe('What the platform does at the Git provider.'),
});
