import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Password, Session, Username } from './sessions.ts'
import { FullName } from './users.ts'
import { optionalText, text } from './values.ts'

/** Makes the first administrator of a new panel, by the code that its start wrote for the person who installs it. */
export const firstAccess = {
  state: endpoint({
    path: '/api/primeiro-acesso',
    summary: 'Se ainda falta o primeiro administrador deste painel',
    access: 'public',
    reply: z.strictObject({ aberto: z.boolean() }),
  }),
  begin: endpoint({
    method: 'POST',
    path: '/api/primeiro-acesso',
    summary:
      'Cria o primeiro administrador com o código do início, e abre a sua sessão; só por https ou no próprio servidor',
    access: 'public',
    body: z.strictObject({
      codigo: text(40),
      username: Username,
      fullName: FullName,
      password: Password,
      deviceName: z.optional(optionalText(80)),
    }),
    reply: Session,
    refusals: [
      'first_access_over',
      'first_access_code_wrong',
      'password_short',
      'password_weak',
      'plain_http',
      'too_many_attempts',
      'overloaded',
    ],
  }),
}
