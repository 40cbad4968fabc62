import type { Phrases } from '../phrases.ts'

export const pt: Phrases = {
  titles: {
    good: [
      '{place}: imperdível',
      'O melhor da viagem',
      'Vá com tempo',
      'Queremos voltar',
      'Acima das expectativas',
      'Uma tarde muito agradável',
    ],
    mixed: ['Bom, mas com ressalvas', '{place}: bonito, porém lotado', 'Razoável', 'Vale a pena uma vez'],
    bad: ['Uma desilusão', '{place}: não recomendo', 'Muita gente e pouca organização', 'Esperava bem mais'],
  },
  openers: {
    good: [
      'Passámos {hours} horas aqui e o tempo voou.',
      'Há anos que queria conhecer este lugar e não me desiludiu.',
      'Uma das melhores visitas de toda a viagem.',
      'Foi a minha segunda visita e gostei ainda mais do que da primeira.',
      'Um lugar maravilhoso.',
    ],
    mixed: [
      'Tem muitas coisas boas e algumas a melhorar.',
      'Fui com grandes expectativas e saí com sentimentos divididos.',
      'Uma visita razoável, embora nem tudo tenha corrido bem.',
    ],
    bad: [
      'Infelizmente, a visita não correu bem.',
      'Depois de tudo o que tínhamos lido, foi uma desilusão.',
      'Saímos ao fim de menos de uma hora.',
    ],
  },
  closers: {
    good: [
      'Recomendo muito.',
      'Voltaremos na próxima viagem.',
      'Reserve pelo menos {hours} horas.',
      'Se só tiver tempo para uma coisa, escolha esta.',
    ],
    mixed: [
      'Vale a pena ver, sem esperar demasiado.',
      'Fora da época alta deve ser melhor.',
      'É melhor ir durante a semana.',
    ],
    bad: ['Não voltaria.', 'Há maneiras melhores de passar a tarde.', 'É pena, o lugar merecia mais.'],
  },
  trips: {
    FAMILY: [
      'Fomos com as crianças, a mais nova tem {age} anos.',
      'Veio a família toda, avós incluídos.',
      'O nosso filho de {age} anos ainda fala da visita.',
    ],
    COUPLES: ['Fomos a dois, no nosso aniversário de casamento.', 'Éramos só nós os dois, sem pressa.'],
    FRIENDS: [
      'Éramos um grupo de amigos com gostos muito diferentes.',
      'Fomos quatro amigos num fim de semana prolongado.',
    ],
    SOLO: ['Viajava sozinho e pude ver tudo com calma.', 'Fui sozinha, com um caderno na mão.'],
    BUSINESS: ['Tinha uma tarde livre entre duas reuniões.', 'Uma pausa depois de um congresso ali perto.'],
  },
  aspects: {
    collection: {
      good: [
        'A coleção é extraordinária e está muito bem organizada.',
        'Só a exposição temporária já vale a visita.',
        'Em cada sala há algo que nos faz parar.',
        'Ver as obras ao vivo é emocionante.',
      ],
      bad: [
        'Várias salas estavam fechadas e as melhores peças emprestadas.',
        'As legendas são minúsculas e explicam muito pouco.',
      ],
    },
    building: {
      good: [
        'A arquitetura é magnífica, por dentro e por fora.',
        'Olhe para cima: os tetos e os detalhes são notáveis.',
        'O restauro foi feito com muito cuidado.',
      ],
      bad: ['Metade da fachada estava coberta de andaimes.', 'O edifício precisa de obras e nota-se.'],
    },
    nature: {
      good: [
        'As árvores e os canteiros estavam no seu melhor.',
        'Muita sombra, bancos e caminhos sossegados.',
        'Um recanto verde para descansar e ler.',
      ],
      bad: ['A relva estava seca e muitos caminhos fechados.', 'Quase não havia sombra com aquele calor.'],
    },
    animals: {
      good: [
        'Os animais parecem bem tratados e têm espaço.',
        'A hora da alimentação foi o melhor momento.',
        'Ficámos imenso tempo no túnel do aquário.',
      ],
      bad: ['Alguns recintos parecem pequenos e vazios.', 'Quase todos os animais dormiam ou não se viam.'],
    },
    view: {
      good: [
        'A vista da cidade ao pôr do sol é inesquecível.',
        'Lá de cima vê-se tudo em redor.',
        'Leve a máquina fotográfica, a vista é linda em todas as direções.',
      ],
      bad: ['A vista estava tapada por redes e tapumes.', 'Com neblina não se vê quase nada.'],
    },
    queue: {
      good: [
        'Entrámos em {few} minutos.',
        'Com bilhete comprado online não houve fila.',
        'De manhã cedo estava quase vazio.',
      ],
      bad: [
        'Esperámos {many} minutos na fila apesar da hora marcada.',
        'A fila da entrada era longa e mal organizada.',
      ],
    },
    guide: {
      good: [
        'A guia foi divertida, paciente e sabia todas as histórias.',
        'O audioguia é excelente e existe em muitas línguas.',
        'A visita guiada gratuita ajudou-nos a perceber tudo.',
      ],
      bad: ['O guia ia com pressa e mal se ouvia.', 'O audioguia falhava constantemente.'],
    },
    family: {
      good: [
        'A caça ao tesouro manteve as crianças ocupadas o tempo todo.',
        'Ótimo com crianças: há muito para tocar e experimentar.',
        'Anda-se bem com carrinho de bebé e há um bom sítio para lanchar.',
      ],
      bad: ['Há pouco para crianças pequenas, as nossas aborreceram-se.', 'Com carrinho de bebé é complicado.'],
    },
    romantic: {
      good: [
        'Com a luz do fim de tarde é um sítio muito romântico.',
        'Perfeito para um passeio de mãos dadas.',
        'Ficámos até acenderem os candeeiros, foi mágico.',
      ],
      bad: ['Esperávamos uma noite romântica e apanhámos altifalantes.', 'Nem um recanto sossegado para dois.'],
    },
    rain: {
      good: [
        'O plano ideal para um dia de chuva.',
        'Lá fora chovia a cântaros e nem demos por isso.',
        'Um bom refúgio com mau tempo, com um café acolhedor.',
      ],
      bad: [
        'Quando chove todos têm a mesma ideia e fica cheio.',
        'O bengaleiro estava cheio de guarda-chuvas molhados.',
      ],
    },
    price: {
      good: [
        'Excelente relação qualidade-preço.',
        'O bilhete combinado compensa muito.',
        'Em algumas tardes é grátis, convém confirmar antes.',
      ],
      bad: ['O bilhete é caro para o que oferece.', 'Tudo se paga à parte, até o mapa.'],
    },
    access: {
      good: [
        'Elevadores e rampas por todo o lado, fácil com cadeira de rodas.',
        'Sem degraus da entrada até à última sala.',
        'Ajudaram a minha mãe, que anda com dificuldade, sem ser preciso pedir.',
      ],
      bad: [
        'O elevador estava avariado e há muitas escadas.',
        'Difícil com cadeira de rodas, entre calçada e degraus.',
      ],
    },
    clean: {
      good: ['Limpíssimo, casas de banho incluídas.', 'Tudo arrumado e bem cuidado.', 'Nota-se que cuidam do espaço.'],
      bad: ['As casas de banho estavam sujas.', 'Ao meio-dia os caixotes já transbordavam.'],
    },
    staff: {
      good: [
        'O pessoal é simpático e responde a tudo com gosto.',
        'Uma vigilante mostrou-nos detalhes que nos teriam escapado.',
        'Fomos muito bem recebidos na bilheteira.',
      ],
      bad: ['O pessoal da entrada foi mal-educado.', 'Ninguém sabia dizer que bilhete era preciso.'],
    },
    atmosphere: {
      good: [
        'Um ambiente calmo e cheio de encanto.',
        'Sente-se um silêncio especial.',
        'Animado sem estar cheio de mais.',
      ],
      bad: ['Tanta gente que não se aproveita nada.', 'Barulho constante de grupos grandes.'],
    },
    location: {
      good: [
        'Chega-se facilmente de metro e fica perto de outros monumentos.',
        'O bairro à volta também merece um passeio.',
        'A poucos minutos a pé do centro.',
      ],
      bad: [
        'Difícil de encontrar e longe dos transportes.',
        'O caminho desde a estação é junto a uma estrada movimentada.',
      ],
    },
  },
  replies: {
    good: [
      'Obrigado pelas suas palavras, esperamos recebê-lo de novo.',
      'Ficamos felizes por ter gostado da visita. Até à próxima!',
    ],
    bad: [
      'Obrigado pela franqueza. Lamentamos e já falámos com a equipa.',
      'Lamentamos que a visita não tenha sido como devia; estamos a trabalhar nos tempos de espera.',
    ],
  },
  note: '(avaliação de exemplo gerada)',
  replyNote: '(resposta de exemplo gerada)',
  gap: ' ',
}
