import apply from '../../examples/ci/github/apply.yml?raw';
import drift from '../../examples/ci/github/drift.yml?raw';
import plan from '../../examples/ci/github/plan.yml?raw';
import sign from '../../examples/ci/github/sign.yml?raw';
import validate from '../../examples/ci/github/validate.yml?raw';
import pipeline from '../../examples/ci/gitlab-ci.yml?raw';
import pipelineOfStacks from '../../examples/ci/gitlab-stacks.yml?raw';

/** The examples are the workflows of a repository with `trueup.yaml`, the secret `database` and the branch `main`. */
export const githubTemplates = { validate, plan, apply, drift, sign };

/** The same for GitLab, with the tool in the project `acme/trueup-ci`; and what is laid over it for several stacks. */
export const gitlabTemplates = { pipeline, pipelineOfStacks };
