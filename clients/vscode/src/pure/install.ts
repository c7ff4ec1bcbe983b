/** How MemoFS could be installed here, by the tools that exist. Nothing is run: the line is put into a terminal. */

export interface InstallWay {
  readonly tool: 'uv' | 'pipx' | 'pip';
  readonly line: string;
}

/** The ways that work with the programs there are, the one that disturbs least first. */
export function installWays(has: (program: string) => boolean, upgrade: 'install' | 'upgrade'): readonly InstallWay[] {
  const ways: InstallWay[] = [];
  if (has('uv'))
    ways.push({ tool: 'uv', line: upgrade === 'upgrade' ? 'uv tool upgrade memofs' : 'uv tool install memofs' });
  if (has('pipx'))
    ways.push({ tool: 'pipx', line: upgrade === 'upgrade' ? 'pipx upgrade memofs' : 'pipx install memofs' });
  const python = ['python3', 'python'].find(has);
  if (python !== undefined) ways.push({ tool: 'pip', line: `${python} -m pip install --user --upgrade memofs` });
  return ways;
}
