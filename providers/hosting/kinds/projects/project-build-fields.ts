import * as z from 'zod';
import { atomic, createOnly, openEnum, readMayLack, updateOnly, withTraits } from '#kind';
import { domainName } from '../domains/host-name.ts';

const text = () => z.string().nullable().optional();
const flag = () => z.boolean().optional();

const frameworks =
  'container blitzjs nextjs gatsby remix react-router astro hexo eleventy docusaurus-2 docusaurus preact solidstart-1 solidstart dojo ember vue scully ionic-angular angular polymer svelte sveltekit sveltekit-1 ionic-react create-react-app gridsome umijs sapper saber stencil nuxtjs redwoodjs hugo jekyll brunch middleman zola hydrogen vite tanstack-start tanstack-start-lovable vitepress vuepress parcel fastapi flask fasthtml django ash factory-eve eve sanity sanity-v2 storybook nitro hono express h3 koa nestjs elysia fastify xmcp python ruby rust axum actix-web bun node go services mastra';

/** Describes the setting to report one status for all deployments of a commit to the Git provider. */
const commitStatus = () =>
  z
    .strictObject({
      enabled: z.boolean().describe('Whether it is enabled.'),
      propagateFailures: z.boolean().describe('Whether it fails if one deployment fails.'),
    })
    .optional()
    .describe('One status for all deployments of a commit.');

/** The hint for people who know the repository by another name, from other tools. */
const gitRepositoryHint = 'write `gitRepository: { type: github, repo: owner/name }`';

/** Describes the repository whose pushes deploy a project. */
const gitRepository = () =>
  withTraits(
    atomic(
      z
        .strictObject({
          type: z.string().describe('The Git provider, such as `github`.'),
          repo: z.string().describe('The repository, as `owner/name`.'),
        })
        .nullable(),
    ),
    { insteadOf: { git: gitRepositoryHint, repo: gitRepositoryHint } },
  );

/** Describes the fields for building and deploying a project. */
export const buildFields = () => ({
  framework: openEnum(frameworks.split(' '))
    .nullable()
    .optional()
    .describe('The framework that decides the build defaults; null for none.'),
  rootDirectory: text().describe('The folder of the repository that is built; null for its root.'),
  buildCommand: text().describe("The build command; null for the framework's default."),
  installCommand: text().describe(
    "The command that installs dependencies; null for the framework's default.",
  ),
  devCommand: text().describe("The command that starts local development; null for the framework's default."),
  outputDirectory: text().describe("The folder that the build writes to; null for the framework's default."),
  commandForIgnoringBuildStep: text().describe(
    'A command that decides whether to build a commit: exit code 0 skips the build.',
  ),
  nodeVersion: updateOnly(openEnum(['24.x', '22.x', '20.x', '18.x']))
    .optional()
    .describe('The Node.js version of builds and functions.'),
  // Reads answer it as `link`.
  gitRepository: gitRepository().optional().describe('The connected Git repository; null for none.'),
  // Read as a member of `link`, written by an operation of its own: the only source is the code of the platform's Terraform provider.
  productionBranch: updateOnly(z.string().min(1))
    .optional()
    .describe('The branch of the connected Git repository that is deployed to production.'),
  skipGitConnectDuringLink: createOnly(z.boolean())
    .optional()
    .describe('Whether to skip connecting the Git repository at creation.'),
  gitLFS: updateOnly(z.boolean()).optional().describe('Whether files in Git LFS are fetched for builds.'),
  sourceFilesOutsideRootDirectory: updateOnly(z.boolean())
    .optional()
    .describe('Whether builds see files outside `rootDirectory`.'),
  enableAffectedProjectsDeployments: flag().describe(
    'Whether a commit to a monorepo deploys only affected projects.',
  ),
  previewDeploymentSuffix: readMayLack(domainName().nullable())
    .optional()
    .describe("The domain suffix of preview deployment URLs; null for the platform's own."),
  previewDeploymentsDisabled: readMayLack(z.boolean().nullable())
    .optional()
    .describe('Whether commits to branches other than production are not deployed.'),
  autoExposeSystemEnvs: updateOnly(z.boolean())
    .optional()
    .describe("Whether builds and functions see the platform's own environment variables."),
  autoAssignCustomDomains: updateOnly(z.boolean())
    .optional()
    .describe("Whether the project's domains switch to each new production deployment."),
  // These three are in no body of the public SDK; the Terraform provider sends them, and reads have them.
  productionDeploymentsFastLane: updateOnly(z.boolean())
    .optional()
    .describe('Whether production builds take priority over previews.'),
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
        createDeployments: openEnum(['enabled', 'disabled']).describe(
          'Whether to create GitHub deployments.',
        ),
        disableRepositoryDispatchEvents: flag().describe(
          'Whether to disable repository-dispatch events to GitHub.',
        ),
        gitCommitStatus: flag().describe('Whether commits get a status.'),
        requireVerifiedCommits: flag().describe('Whether only signed commits are deployed.'),
        consolidatedGitCommitStatus: commitStatus(),
      }),
    ),
  )
    .optional()
    .describe('How the platform interacts with the Git provider.'),
});
