import { shellWord } from '../config/sources/verdict.ts';
import { withLines, withWords } from './edit-workflow.ts';
import type { CiFile, CiRepository } from './repository.ts';
import { gitlabTemplates } from './templates.ts';

/** The project with the tool in the examples. */
const ofSample = ['acme', 'trueup-ci'].join('/');

/**
 * The files of the project that holds the tool for a repository on GitLab, where a merge request brings its own pipeline: none of them
 * stays in the repository with the YAML. `project` is its path on the server: letters, digits, `_`, `.`, `-` and `/`.
 */
export function gitlabFiles({ stacks }: CiRepository, project: string): CiFile[] {
  const { pipeline, pipelineOfStacks } = gitlabTemplates;
  const named = (text: string) => withLines(text, [[ofSample, project]]);
  const text = named(pipeline);
  if ('file' in stacks) return [{ path: 'gitlab-ci.yml', text: withFile(text, stacks.file) }];
  const { workspace } = stacks;
  const ofStacks = named(pipelineOfStacks);
  return [
    { path: 'gitlab-ci.yml', text },
    { path: 'gitlab-stacks.yml', text: workspace === '' ? ofStacks : withWorkspace(ofStacks, workspace) },
  ];
}

const withFile = (text: string, file: string) =>
  withWords(text, { part: { '-f ../change/trueup.yaml': `-f ${shellWord(`../change/${file}`)}` } });

const withWorkspace = (text: string, folder: string) =>
  withWords(text, { part: { '--workspace ../change': `--workspace ${shellWord(`../change/${folder}`)}` } });
