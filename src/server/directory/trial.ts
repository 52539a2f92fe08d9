import type { DirectoryTrial } from '../../contract/health.ts'
import { ruleOfGroups } from '../../domain/people/directory.ts'
import { directoryFaults } from '../../domain/people/directory-faults.ts'
import { roleTexts } from '../../domain/people/permissions.ts'
import { DirectoryAway } from '../http/entrance.ts'
import type { User } from '../store/users.ts'
import type { Found, Ldap } from './ldap.ts'
import type { DirectorySettings } from './settings.ts'

/** Somebody may be in hundreds. */
const GROUPS_SHOWN_MAX = 20

type Step = DirectoryTrial['steps'][number]
type Trial = DirectoryTrial

const good = (about: Step['about'], text: string): Step => ({ about, isGood: true, text })
const bad = (about: Step['about'], text: string): Step => ({ about, isGood: false, text })

function personStep({ fullName, username, dn, isDisabled }: Found): Step {
  const who = `${fullName} (${username}), ${dn}`
  return isDisabled
    ? bad('person', `${who}: a conta está desativada no diretório e não entra. Ative-a lá.`)
    : good('person', `${who}.`)
}

function groupsStep({ groups }: Found): Step {
  if (groups.length === 0) {
    return bad('groups', 'Nenhum grupo em memberOf: ponha a pessoa num grupo; no OpenLDAP, ligue o módulo memberof.')
  }
  const more = groups.length - GROUPS_SHOWN_MAX
  const shown = groups.slice(0, GROUPS_SHOWN_MAX).join('; ')
  return good('groups', `${groups.length}: ${shown}${more > 0 ? `; e mais ${more}` : ''}.`)
}

/** The step decided here, without the directory. */
function localStep(known: User | null): Step | null {
  if (known?.directory === null) {
    return bad('role', 'Há um usuário local com este nome, e ele vence: entra com a senha do painel. Veja em Usuários.')
  }
  const isBarred = known !== null && !known.active && known.directory !== 'gone'
  return isBarred
    ? bad('role', 'Um administrador desativou esta pessoa no painel: não entra. Ative-a em Usuários.')
    : null
}

function failedSteps({ fault }: DirectoryAway, account: Step): Step[] {
  const { isAway, sentence } = directoryFaults[fault]
  if (isAway) return [bad('connection', sentence)]
  if (['account', 'paused', 'needs_tls'].includes(fault)) return [bad('account', sentence)]
  return [account, bad('person', sentence)]
}

/** Tries the steps of a person's log-in until one fails. Their password is not needed and not tried. */
export async function tryOut(
  username: string,
  known: User | null,
  {
    ldap,
    settings,
    isWithDomain,
  }: { ldap: Pick<Ldap, 'describe'>; settings: DirectorySettings; isWithDomain: boolean },
): Promise<Trial> {
  const account = good('account', `O diretório aceita ${settings.user}.`)
  const none = { isFound: false, role: null }
  const answer = await ldap.describe(username).catch((error: unknown) => {
    if (error instanceof DirectoryAway) return error
    throw error
  })
  if (answer instanceof DirectoryAway) return { ...none, steps: failedSteps(answer, account) }
  const { found, rules } = answer
  const [one, ...others] = found
  if (one === undefined) {
    const next = isWithDomain ? 'Use só o nome, sem domínio.' : 'Confira o nome, LDAP_BASE e LDAP_FILTER.'
    return { ...none, steps: [account, bad('person', `Ninguém tem este nome em ${settings.loginAttribute}. ${next}`)] }
  }
  if (others.length > 0) {
    const sentence = `${found.length} pessoas têm este nome em ${settings.loginAttribute}, e nenhuma entra: deixe uma só.`
    return { ...none, steps: [account, bad('person', sentence)] }
  }
  const rule = ruleOfGroups(one.groups, rules)
  const local = localStep(known)
  const ofGroups = rule
    ? good('role', `${roleTexts[rule.role]}, pelo grupo ${rule.group}.`)
    : bad('role', 'Nenhum grupo dela está em LDAP_GROUPS, nem dentro de um que está: não entra. Ponha-a num deles.')
  const steps = [account, personStep(one), groupsStep(one), local ?? ofGroups]
  const role = steps.every(({ isGood }) => isGood) ? (rule?.role ?? null) : null
  return { isFound: true, role, steps }
}
