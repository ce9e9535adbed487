/** The mails to operators about copies, as `mails.ts` has the others. */
export const COPY_MAILS = {
  copia_fallida: {
    es: {
      subject: 'Hay copias que fallan en {nodo}',
      paragraphs: ['No se pudo copiar todo lo de {cliente}, y puede que tampoco lo de otros.'],
      after: [
        'El motivo es el destino de las copias: mientras no se pueda usar, no se copia nada de nadie. {motivo}',
        'Donde llegó a hacerse una copia, las copias de cada cliente dicen en el panel qué le falta y por qué.',
        'Hoy no recibirá más avisos.',
      ],
    },
    en: {
      subject: 'Backups are failing on {nodo}',
      paragraphs: ['Not everything of {cliente} could be copied, and perhaps not of others either.'],
      after: [
        'The reason is the destination of copies: while it cannot be used, nothing is copied for anybody. {motivo}',
        'Where a copy was made, the copies of each client in the panel tell what it lacks and why.',
        'You will receive no further notice today.',
      ],
    },
  },
  copias_danadas: {
    es: {
      subject: 'Hay copias dañadas en {nodo}',
      paragraphs: [
        'El destino ha perdido o cambiado algo de las copias de {clientes}. Lo que está dañado no se puede restaurar.',
        'Cada copia nueva vuelve a guardar lo que falta, si sigue en el servidor. Pídala ya en las copias de cada cliente, que dicen cuáles siguen dañadas; al cabo de una semana se descartan.',
        'Revise el disco o el servicio del destino: el registro del panel nombra los archivos que ya no están o han cambiado.',
        'Hoy no recibirá más avisos de esto.',
      ],
    },
    en: {
      subject: 'There are damaged backups on {nodo}',
      paragraphs: [
        'The destination has lost or changed some of the backups of {clientes}. What is damaged cannot be restored.',
        'Each new copy keeps anew what is missing, as far as it is still on the server. Ask for one now at the copies of each client, which tell which stay damaged; after a week they are dropped.',
        "Check the disk or the service of the destination: the panel's log names the files that are gone or have changed.",
        'You will receive no further notice of this today.',
      ],
    },
  },
}
